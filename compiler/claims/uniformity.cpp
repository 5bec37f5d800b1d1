//===- compiler/claims/uniformity.cpp - do whole work-groups reach a
// barrier? ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/uniformity.h"

#include "compiler/claims/group_uniformity.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <algorithm>

using namespace llvm;
using namespace warpsan;

/// True if every reachable block of \p F can reach an exit. Only then do
/// post-dominators give control dependence.
static bool alwaysEnds(Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Ends;
  for (BasicBlock &Block : F)
    if (succ_empty(&Block))
      for (BasicBlock *Before : inverse_depth_first(&Block))
        Ends.insert(Before);
  return all_of(depth_first(&F.getEntryBlock()),
                [&](const BasicBlock *Block) { return Ends.contains(Block); });
}

/// Removes the paths into blocks that only say that they are unreachable: clang
/// makes one of a switch that has all cases. With them, no block would
/// post-dominate the switch.
static void removeUnreachablePaths(Function &Kernel) {
  SmallVector<BasicBlock *, 4> Empty;
  for (BasicBlock &Block : Kernel)
    if (isa<UnreachableInst>(Block.getFirstNonPHIOrDbg()))
      Empty.push_back(&Block);
  for (BasicBlock *Block : Empty) {
    for (BasicBlock *From :
         SmallSetVector<BasicBlock *, 4>(pred_begin(Block), pred_end(Block))) {
      Instruction *Ends = From->getTerminator();
      if (auto *Branch = dyn_cast<BranchInst>(Ends);
          Branch && Branch->isConditional()) {
        BasicBlock *Other =
            Branch->getSuccessor(Branch->getSuccessor(0) == Block ? 1 : 0);
        if (Other == Block)
          continue;
        ReplaceInstWithInst(Branch, BranchInst::Create(Other));
      } else if (auto *Switch = dyn_cast<SwitchInst>(Ends)) {
        for (auto Case = Switch->case_begin(); Case != Switch->case_end();)
          Case = Case->getCaseSuccessor() == Block ? Switch->removeCase(Case)
                                                   : std::next(Case);
        // The last case becomes the default.
        if (Switch->getDefaultDest() == Block && Switch->getNumCases() > 0) {
          auto Last = std::prev(Switch->case_end());
          Switch->setDefaultDest(Last->getCaseSuccessor());
          Switch->removeCase(Last);
        }
      }
    }
    if (pred_empty(Block))
      DeleteDeadBlock(Block);
  }
}

void warpsan::simplifyForCollectives(Function &Kernel, const Target &T) {
  if (none_of(instructions(Kernel), [&](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        return Call && isCollective(*Call, T);
      }))
    return;
  removeUnreachablePaths(Kernel);
  DominatorTree Dominators(Kernel);
  LoopInfo Loops(Dominators);
  for (llvm::Loop *Each : Loops)
    simplifyLoop(Each, &Dominators, &Loops, nullptr, nullptr, nullptr, false);
}

/// The nearest branch with line information at or above the end of \p Block;
/// null if there is none.
static Instruction *branchAbove(BasicBlock *Block) {
  for (; Block; Block = Block->getSinglePredecessor()) {
    Instruction *Ends = Block->getTerminator();
    if (Ends->getNumSuccessors() > 1)
      return Ends->getDebugLoc() ? Ends : nullptr;
  }
  return nullptr;
}

/// DivergentBranch::Deciders of \p At.
static SmallVector<Instruction *, 2>
decidersOf(Instruction &At, const GroupUniformity &Uniformity) {
  SmallVector<Instruction *, 2> Found;
  const Value *Condition = At.getOperand(0);
  if (const auto *Compare = dyn_cast<ICmpInst>(Condition))
    Condition = Compare->getOperand(0);
  SmallSetVector<const PHINode *, 4> Phis;
  if (const auto *Phi = dyn_cast<PHINode>(Condition); Phi && !At.getDebugLoc())
    Phis.insert(Phi);
  for (size_t I = 0; I < Phis.size(); ++I)
    for (unsigned Way = 0; Way < Phis[I]->getNumIncomingValues(); ++Way) {
      if (const auto *Phi = dyn_cast<PHINode>(Phis[I]->getIncomingValue(Way)))
        Phis.insert(Phi);
      Instruction *Branch = branchAbove(Phis[I]->getIncomingBlock(Way));
      if (Branch && Uniformity.isDivergent(*Branch->getParent()) &&
          !is_contained(Found, Branch))
        Found.push_back(Branch);
    }
  if (Found.empty())
    Found.push_back(&At);
  return Found;
}

std::vector<DivergentBranch> warpsan::divergentBranches(Function &Kernel,
                                                        const Target &T) {
  std::vector<const CallBase *> Calls;
  for (BasicBlock &Block : Kernel)
    for (Instruction &I : Block)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && isCollective(*Call, T))
        Calls.push_back(Call);
  std::stable_partition(Calls.begin(), Calls.end(), [&](const CallBase *Call) {
    return scopeOf(*Call, T) == CollectiveScope::WorkGroup;
  });
  if (Calls.empty())
    return {};
  const GroupUniformity Uniformity(Kernel, T);

  PostDominatorTree PostDominators(Kernel);
  const bool Ends = alwaysEnds(Kernel);
  DenseMap<const BasicBlock *, const CallBase *> DecidesOn;
  for (const CallBase *Call : Calls) {
    // All blocks that it is control dependent on, transitively.
    SmallPtrSet<BasicBlock *, 1> From = {
        const_cast<BasicBlock *>(Call->getParent())};
    SmallVector<BasicBlock *, 16> Deciding;
    ReverseIDFCalculator Frontier(PostDominators);
    Frontier.setDefiningBlocks(From);
    Frontier.calculate(Deciding);
    if (!Ends)
      for (BasicBlock &Block : Kernel)
        Deciding.push_back(&Block);
    for (const BasicBlock *Block : Deciding)
      DecidesOn.try_emplace(Block, Call);
  }
  std::vector<DivergentBranch> Found;
  for (BasicBlock &Block : Kernel)
    if (auto It = DecidesOn.find(&Block);
        It != DecidesOn.end() && Uniformity.isDivergent(Block))
      Found.push_back({Block.getTerminator(), It->second,
                       decidersOf(*Block.getTerminator(), Uniformity)});
  return Found;
}

std::vector<DivergentArguments> warpsan::divergentArguments(Function &Kernel,
                                                            const Target &T) {
  std::vector<DivergentArguments> Found;
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && scopeOf(*Call, T) == CollectiveScope::WorkGroup) {
      auto Shared = sharedArguments(*Call, T);
      erase_if(Shared, [&](const SharedArgument &Each) {
        const Value *Operand = Call->getArgOperand(Each.Index);
        return !Operand->getType()->isIntOrPtrTy() || isa<Constant>(Operand);
      });
      if (!Shared.empty())
        Found.push_back({Call, std::move(Shared)});
    }
  if (Found.empty())
    return {};
  const GroupUniformity Uniformity(Kernel, T);
  for (DivergentArguments &Each : Found)
    erase_if(Each.Which, [&](const SharedArgument &Shared) {
      return !Uniformity.isDivergent(Each.Call->getArgOperandUse(Shared.Index));
    });
  erase_if(Found,
           [](const DivergentArguments &Each) { return Each.Which.empty(); });
  return Found;
}
