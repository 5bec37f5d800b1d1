//===- compiler/checks/runaway.cpp - work-items that would never end ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/runaway.h"

#include "abi/record.h"
#include "compiler/ir/collectives.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace warpsan;

/// Whether \p Of depends on something that is read from memory in \p L.
static bool dependsOnLoads(Value *Of, const llvm::Loop &L) {
  SmallSetVector<Instruction *, 16> Known;
  auto Add = [&](Value *Each) {
    if (auto *I = dyn_cast<Instruction>(Each); I && L.contains(I))
      Known.insert(I);
  };
  Add(Of);
  for (size_t I = 0; I < Known.size(); ++I) {
    if (Known[I]->mayReadFromMemory())
      return true;
    for (Value *Each : Known[I]->operands())
      Add(Each);
  }
  return false;
}

/// Whether nothing but loaded values ends \p L: no condition that is asked in
/// each iteration is free of them.
static bool endsOnlyOnLoads(const llvm::Loop &L,
                            const DominatorTree &Dominators) {
  SmallVector<BasicBlock *, 4> Exiting, Latches;
  L.getExitingBlocks(Exiting);
  L.getLoopLatches(Latches);
  return none_of(Exiting, [&](BasicBlock *Block) {
    const Instruction *End = Block->getTerminator();
    Value *Condition = nullptr;
    if (const auto *Branch = dyn_cast<BranchInst>(End))
      Condition = Branch->isConditional() ? Branch->getCondition() : nullptr;
    else if (const auto *Switch = dyn_cast<SwitchInst>(End))
      Condition = Switch->getCondition();
    return Condition && !dependsOnLoads(Condition, L) &&
           all_of(Latches, [&](BasicBlock *Latch) {
             return Dominators.dominates(Block, Latch);
           });
  });
}

/// Whether work-items of \p Kernel meet somewhere, or may.
static bool workItemsMeet(Function &Kernel, const Target &T) {
  SmallSetVector<Function *, 8> Called;
  Called.insert(&Kernel);
  for (size_t I = 0; I < Called.size(); ++I)
    for (Instruction &Each : instructions(*Called[I])) {
      auto *Call = dyn_cast<CallBase>(&Each);
      if (!Call || isa<IntrinsicInst>(Call))
        continue;
      Function *Callee = Call->getCalledFunction();
      // What is not known may be a barrier.
      if (!Callee || isCollective(*Call, T) ||
          (Callee->isDeclaration() && builtinOf(*Call, T).empty()))
        return true;
      if (!Callee->isDeclaration())
        Called.insert(Callee);
    }
  return false;
}

Runaways::Runaways(Function &Kernel, const Target &T) : Kernel(Kernel) {
  const DominatorTree Dominators(Kernel);
  const LoopInfo Loops(Dominators);
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    if (endsOnlyOnLoads(*L, Dominators))
      Blocks.insert(L->block_begin(), L->block_end());
  MayLeave = !Blocks.empty() && !workItemsMeet(Kernel, T);
}

void Runaways::count(Instruction *Before, Failure What, ReportCalls &Calls) {
  if (!MayLeave)
    return;
  if (!Failures) {
    BasicBlock &Entry = Kernel.getEntryBlock();
    IRBuilder<> Build(&*Entry.begin());
    Failures =
        Build.CreateAlloca(Build.getInt32Ty(), nullptr, "warpsan.failures");
    Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
    Build.CreateStore(Build.getInt32(0), Failures);
  }
  IRBuilder<> Build(Before);
  Value *Count = Build.CreateAdd(Build.CreateLoad(Build.getInt32Ty(), Failures),
                                 Build.getInt32(1));
  Build.CreateStore(Count, Failures);
  Instruction *Leaves = SplitBlockAndInsertIfThen(
      Build.CreateICmpUGE(Count, Build.getInt32(WS_MOST_FAILURES)),
      Before->getIterator(), /*Unreachable=*/true);
  Build.SetInsertPoint(Leaves);
  What.Check = What.Check / WS_TESTS * WS_TESTS + WS_TEST_RUNAWAY;
  What.Outside = nullptr;
  Calls.call(Build, What);
  ReplaceInstWithInst(Leaves, ReturnInst::Create(Kernel.getContext()));
}
