//===- compiler/claims/certain_paths.cpp - what a work-item surely
// executes ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/certain_paths.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

/// True if \p I may end the work-item: a call of what is neither an intrinsic
/// nor a builtin.
static bool mayNotReturn(const Instruction &I, const Target &T) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call))
    return false;
  const Function *Callee = Call->getCalledFunction();
  return !Callee || T.builtinName(*Callee).empty();
}

CertainPaths::CertainPaths(Function &Kernel, ExpressionBuilder &Numbers,
                           const Target &T)
    : Numbers(Numbers), Dominators(Kernel), Loops(Dominators),
      LibraryImpl(Triple(Kernel.getParent()->getTargetTriple())),
      Library(LibraryImpl, &Kernel), Assumptions(Kernel),
      Evolution(Kernel, Library, Assumptions, Dominators, Loops) {
  const ReversePostOrderTraversal<const Function *> Order(&Kernel);
  IsUnknown = containsIrreducibleCFG<const BasicBlock *>(Order, Loops) ||
              any_of(instructions(Kernel),
                     [&](const Instruction &I) { return mayNotReturn(I, T); });
}

uint32_t CertainPaths::loopAround(const BasicBlock *Block) {
  const llvm::Loop *L = Numbers.loops().getLoopFor(Block);
  uint32_t Innermost = 0;
  // All of them, so that each has its parent.
  for (; L; L = L->getParentLoop())
    if (const uint32_t Index = 1 + Numbers.loopIndex(*L); !Innermost)
      Innermost = Index;
  return Innermost;
}

/// True if the number of iterations of \p L is bounded by values that are known
/// before it.
bool CertainPaths::isFinite(const llvm::Loop &L) {
  auto [It, IsNew] = FiniteLoops.try_emplace(&L, false);
  if (IsNew)
    It->second = !isa<SCEVCouldNotCompute>(
        Evolution.getSymbolicMaxBackedgeTakenCount(&L));
  return It->second;
}

/// True if every way from \p From leads to \p To, in the same iteration of all
/// loops around \p To.
bool CertainPaths::surelyReaches(const BasicBlock *From, const BasicBlock *To) {
  SmallVector<const BasicBlock *, 16> Work = {From};
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const BasicBlock *At = Work.pop_back_val();
    if (At == To || !Seen.insert(At).second)
      continue;
    for (const llvm::Loop *L = Loops.getLoopFor(At); L && !L->contains(To);
         L = L->getParentLoop())
      if (!isFinite(*L))
        return false;
    if (succ_empty(At))
      return false;
    for (const BasicBlock *Next : successors(At)) {
      const llvm::Loop *L = Loops.getLoopFor(Next);
      if (L && L->getHeader() == Next && L->contains(At) && L->contains(To))
        return false;
      Work.push_back(Next);
    }
  }
  return true;
}

std::optional<uint32_t> CertainPaths::condition(BasicBlock *Block) {
  if (IsUnknown || !Dominators.getNode(Block))
    return std::nullopt;
  SmallVector<BasicBlock *, 16> Path;
  for (auto *At = Dominators.getNode(Block); At; At = At->getIDom())
    Path.push_back(At->getBlock());
  uint32_t Cond = 0;
  for (size_t I = Path.size(); I-- > 1;) {
    BasicBlock *Up = Path[I];
    const BasicBlock *Below = Path[I - 1];
    SmallVector<bool, 2> Reaches;
    for (const BasicBlock *Next : successors(Up)) {
      const llvm::Loop *L = Loops.getLoopFor(Next);
      const bool IsBack = L && L->getHeader() == Next && L->contains(Up);
      Reaches.push_back((!IsBack || !L->contains(Below)) &&
                        surelyReaches(Next, Below));
    }
    for (const llvm::Loop *L = Loops.getLoopFor(Up); L && !L->contains(Below);
         L = L->getParentLoop())
      if (!isFinite(*L))
        return std::nullopt;
    if (all_of(Reaches, [](bool Each) { return Each; }))
      continue;
    auto *Branch = dyn_cast<BranchInst>(Up->getTerminator());
    if (!Branch || !Branch->isConditional() || Reaches[0] == Reaches[1])
      return std::nullopt;
    const auto More =
        Numbers.exactly(Branch->getCondition(), Reaches[0], Cond, Up);
    if (!More)
      return std::nullopt;
    Cond = *More;
  }
  return Cond;
}
