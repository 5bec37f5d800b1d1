//===- compiler/driver_shapes.cpp - code that drivers get wrong -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver_shapes.h"

#include "compiler/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace warpsan;

/// A barrier of the work-group that would be the same anywhere.
static bool isBarrier(const Instruction &I, const Target &T) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  const StringRef Name = T.builtinName(*Callee);
  if (Name == "ControlBarrier") { // of a SPIR-V program
    constexpr uint64_t Workgroup = 2;
    const auto *Scope = dyn_cast<ConstantInt>(Call->getArgOperand(0));
    if (!Scope || Scope->getZExtValue() != Workgroup)
      return false;
  } else if (Name != "barrier" && Name != "work_group_barrier") {
    return false;
  }
  return all_of(Call->args(),
                [](const Value *Arg) { return isa<Constant>(Arg); });
}

const Instruction *warpsan::barrierIn(const llvm::Loop &L, const Target &T) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (isBarrier(I, T))
        return &I;
  return nullptr;
}

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
      // With several, work-items may part in the last round.
      if (!Barrier || !L->getUniqueExitBlock())
        continue;
      formDedicatedExitBlocks(L, &Dominators, &Loops, nullptr, false);
      BasicBlock *Exit = L->getUniqueExitBlock();
      Barrier->clone()->insertBefore(*Exit, Exit->getFirstInsertionPt());
    }
  });
}

void warpsan::separateLoops(Module &Program) {
  eachFunction(Program, [](DominatorTree &Dominators, LoopInfo &Loops) {
    for (llvm::Loop *L : Loops)
      simplifyLoop(L, &Dominators, &Loops, nullptr, nullptr, nullptr, false);
  });
}
