//===- compiler/divergence/add_convergence_points.cpp - per region --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/add_convergence_points.h"

#include "abi/record.h"
#include "compiler/divergence/convergence_point.h"
#include "compiler/target/driver_profiles.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;

Value *warpsan::linearLocalId(IRBuilder<> &Build, const Target &T) {
  auto Ask = [&](WorkItemQuery Query, unsigned Dimension) {
    return Build.CreateTrunc(askWorkItem(Query, Dimension, Build, T),
                             Build.getInt32Ty());
  };
  Value *Id = Ask(WorkItemQuery::LocalInvocationId, 2);
  for (const unsigned Dimension : {1U, 0U})
    Id = Build.CreateAdd(
        Build.CreateMul(Id, Ask(WorkItemQuery::WorkgroupSize, Dimension)),
        Ask(WorkItemQuery::LocalInvocationId, Dimension));
  return Id;
}

/// A convergence point must not come between the two halves of a barrier.
static bool hasSplitBarrier(Function &Kernel, const Target &T) {
  return any_of(instructions(Kernel), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    const StringRef Name = Callee ? T.builtinName(*Callee) : "";
    return Name.contains("barrier_arrive") || Name.contains("barrier_wait") ||
           Name.contains("BarrierArrive") || Name.contains("BarrierWait");
  });
}

/// Where \p Kernel returns, once it does so in one place.
static void unifyReturns(Function &Kernel) {
  SmallVector<BasicBlock *, 4> Returning;
  for (BasicBlock &Block : Kernel)
    if (isa<ReturnInst>(Block.getTerminator()))
      Returning.push_back(&Block);
  if (Returning.size() < 2)
    return;
  auto *Last =
      BasicBlock::Create(Kernel.getContext(), "warpsan.return", &Kernel);
  ReturnInst::Create(Kernel.getContext(), Last);
  for (BasicBlock *Each : Returning) {
    Each->getTerminator()->eraseFromParent();
    BranchInst::Create(Last, Each);
  }
}

/// Clears the \p Count words of local memory before the kernel uses them.
static void clearWords(ConvergenceParts &With, unsigned Count) {
  Module &Program = *With.Made.Kernel->getParent();
  auto *Item = cast<Instruction>(With.Item);
  Instruction *Rest = Item->getNextNode();
  IRBuilder<> Build(Rest);
  Value *First = Build.CreateICmpEQ(Item, Build.getInt32(0));
  Instruction *Then = SplitBlockAndInsertIfThen(First, Rest, false);
  Build.SetInsertPoint(Then);
  for (unsigned I = 0; I < Count; ++I) {
    const bool IsItem = I >= Turns && (I - Turns) % 2 == 1;
    Build.CreateStore(
        Build.getInt32(IsItem ? ~0U : 0),
        Build.CreateConstGEP1_32(Build.getInt32Ty(), With.Words, I));
  }
  Build.SetInsertPoint(Rest);
  makeBarrier(Build, Program);
}

static GlobalVariable *makeWords(Function &Kernel, unsigned Count,
                                 const Target &T) {
  auto *Words = ArrayType::get(Type::getInt32Ty(Kernel.getContext()), Count);
  return makeLocalVariable(*Kernel.getParent(), Words,
                           "warpsan.convergence." + Kernel.getName(), T);
}

/// Empty, or why there can be no convergence point for \p Calls of \p Kernel.
static std::string whyNot(Function &Kernel, ArrayRef<CallInst *> Calls) {
  const DominatorTree Dominators(Kernel);
  const LoopInfo Loops(Dominators);
  const ReversePostOrderTraversal<Function *> Order(&Kernel);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, Loops))
    return "a loop of the kernel has several entries";
  SmallPtrSet<const llvm::Loop *, 8> Around;
  for (const CallInst *Call : Calls)
    for (const llvm::Loop *L = Loops.getLoopFor(Call->getParent()); L;
         L = L->getParentLoop())
      Around.insert(L);
  if (Calls.size() + Around.size() + 1 > MaxSuspendPoints)
    return "more than " + std::to_string(MaxSuspendPoints - 1) +
           " barriers depend on each other";
  return {};
}

/// i32: one more than the number in Divergence.Branches of what decides \p
/// Branch. SimplifyCFG makes one branch of `if (a) if (b)`: then it is the
/// condition that decides.
static Value *deciderOf(Value *Condition, const Instruction &Branch,
                        IRBuilder<> &Build, DivergenceChecks &Divergence) {
  Value *A = nullptr, *B = nullptr;
  const bool And = match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (And || match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    Value *First = deciderOf(A, Branch, Build, Divergence);
    Value *Second = deciderOf(B, Branch, Build, Divergence);
    return And ? Build.CreateSelect(A, Second, First)
               : Build.CreateSelect(A, First, Second);
  }
  // Of a folded condition the comparison knows where it was.
  const auto *Decides = dyn_cast<CmpInst>(Condition);
  const bool Folded = Condition != Branch.getOperand(0);
  const DILocation *At =
      Folded && Decides ? Decides->getDebugLoc().get() : nullptr;
  Divergence.Branches.push_back(At ? At : Branch.getDebugLoc().get());
  constexpr size_t Most = (1U << WS_BRANCH_BITS) - 1;
  return Build.getInt32(
      static_cast<uint32_t>(std::min(Divergence.Branches.size(), Most)));
}

void warpsan::addConvergencePoints(CheckedTwin &Made,
                                   const DeviceRuntime &Runtime,
                                   const DriverProfile &Profile,
                                   const Target &T) {
  Function &Kernel = *Made.Kernel;
  if (hasSplitBarrier(Kernel, T)) {
    Made.Divergence.WhyNot = "it has split barriers";
    return;
  }
  SmallVector<BasicBlock *, 8> Branches;
  SmallSetVector<Instruction *, 8> Deciders;
  for (const DivergentBranch &Each : divergentBranches(Kernel, T))
    if (scopeOf(*Each.Collective, T) == CollectiveScope::WorkGroup) {
      Branches.push_back(Each.At->getParent());
      Deciders.insert(Each.Deciders.begin(), Each.Deciders.end());
    }
  if (Branches.empty())
    return;
  unifyReturns(Kernel);
  std::vector<DivergentRegion> Regions = regionsOf(Kernel, Branches);
  if (Regions.empty()) {
    Made.Divergence.WhyNot = "the kernel has a loop that never ends";
    return;
  }
  ConvergenceParts With{
      Made, T,
      ReportCalls(Made, *Runtime.Report, Profile.VectorizesWorkItems, T),
      StackSlots(Kernel, Profile.KeepsSlotsVolatile)};
  std::vector<ConvergencePoint> Points;
  size_t Numbers =
      Made.Sites.size(); // as many as Divergence.Calls will be used
  for (DivergentRegion &Each : Regions) {
    Points.emplace_back(With, std::move(Each));
    Made.Divergence.WhyNot = whyNot(Kernel, Points.back().collectives());
    Numbers += Points.back().collectives().size();
    if (Numbers > WS_MAX_SITES)
      Made.Divergence.WhyNot =
          "it has too many accesses to number its barriers";
    // Sub-groups need not be converged when they resume.
    if (!Points.back().collectives(CollectiveScope::SubGroup).empty())
      Made.Divergence.WhyNot = "functions of sub-groups are among its barriers";
    if (!Made.Divergence.WhyNot.empty())
      return;
  }

  Type *I32 = Type::getInt32Ty(Kernel.getContext());
  IRBuilder<> Build(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  With.Item = linearLocalId(Build, T);
  With.Turn = With.Slots.makeZero(I32, "turn");
  With.Via = With.Slots.makeZero(I32, "via");
  for (Instruction *Each : Deciders) {
    Build.SetInsertPoint(Each);
    // The condition of a branch, or the value of a switch.
    With.Slots.store(
        Build, deciderOf(Each->getOperand(0), *Each, Build, Made.Divergence),
        With.Via);
  }
  With.Words = makeWords(Kernel, 0, T);
  unsigned Count = Turns;
  SmallVector<BasicBlock *, 4> Headers;
  for (ConvergencePoint &Each : Points) {
    Count += Each.build(Count);
    Headers.push_back(Each.header());
  }
  With.Slots.keepValues(Headers);
  clearWords(With, Count);
  GlobalVariable *Whole = makeWords(Kernel, Count, T);
  Whole->takeName(With.Words);
  With.Words->replaceAllUsesWith(Whole);
  With.Words->eraseFromParent();
}
