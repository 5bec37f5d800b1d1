//===- compiler/emit/driver_workarounds.cpp - code that drivers get wrong -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/emit/driver_workarounds.h"

#include "compiler/ir/barriers.h"
#include "compiler/pointers/hidden_args.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace warpsan;

/// Calls \p Visit with each function that has a body, and its loops.
template <typename F> static void eachFunction(Module &Program, F Visit) {
  for (Function &Body : Program) {
    if (Body.isDeclaration())
      continue;
    DominatorTree Dominators(Body);
    LoopInfo Loops(Dominators);
    Visit(Dominators, Loops);
  }
}

void warpsan::closeBarrierLoops(Module &Program, const Target &T) {
  eachFunction(Program, [&](DominatorTree &Dominators, LoopInfo &Loops) {
    for (llvm::Loop *L : Loops.getLoopsInPreorder()) {
      const Instruction *Barrier = barrierIn(*L, T);
      // With several, work-items may part in the last iteration.
      if (!Barrier || !L->getUniqueExitBlock())
        continue;
      formDedicatedExitBlocks(L, &Dominators, &Loops, nullptr, false);
      BasicBlock *Exit = L->getUniqueExitBlock();
      Barrier->clone()->insertBefore(*Exit, Exit->getFirstInsertionPt());
    }
  });
}

/// Adds to \p Found constants that \p Condition compares something with.
static void findLimits(Value *Condition, SmallSetVector<Use *, 8> &Found) {
  auto *I = dyn_cast<Instruction>(Condition);
  if (!I)
    return;
  if (isa<ICmpInst>(I)) {
    for (Use &Each : I->operands())
      if (isa<ConstantInt>(Each))
        Found.insert(&Each);
  } else if (I->getType()->isIntegerTy(1) &&
             isa<BinaryOperator, SelectInst>(I)) { // one of several
    for (Value *Each : I->operands())
      findLimits(Each, Found);
  }
}

void warpsan::hideInnerTripCounts(const Twin &Of) {
  Function &Kernel = *Of.Kernel;
  if (!Of.hidden(HiddenArg::Kind::Records))
    return;
  DominatorTree Dominators(Kernel);
  LoopInfo Loops(Dominators);
  AssumptionCache Assumed(Kernel);
  TargetLibraryInfoImpl NoLibrary;
  TargetLibraryInfo Library(NoLibrary);
  ScalarEvolution Evolution(Kernel, Library, Assumed, Dominators, Loops);
  SmallSetVector<Use *, 8> Limits; // one may end two loops
  for (const llvm::Loop *L : Loops.getLoopsInPreorder()) {
    if (!L->getParentLoop() || !Evolution.getSmallConstantMaxTripCount(L))
      continue;
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (const BasicBlock *Block : Exiting)
      if (const auto *End = dyn_cast<BranchInst>(Block->getTerminator()))
        findLimits(End->getCondition(), Limits);
  }
  if (Limits.empty())
    return;
  IRBuilder<> Build(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Zero =
      Build.CreateAlignedLoad(Build.getInt32Ty(), Of.zeros(Build), Align(4));
  for (Use *Limit : Limits) {
    Build.SetInsertPoint(cast<Instruction>(Limit->getUser()));
    Limit->set(Build.CreateAdd(
        *Limit, Build.CreateZExtOrTrunc(Zero, Limit->get()->getType())));
  }
}

void warpsan::separateLoops(Module &Program) {
  eachFunction(Program, [](DominatorTree &Dominators, LoopInfo &Loops) {
    for (llvm::Loop *L : Loops)
      simplifyLoop(L, &Dominators, &Loops, nullptr, nullptr, nullptr, false);
  });
}
