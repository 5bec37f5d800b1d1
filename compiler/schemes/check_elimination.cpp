//===- compiler/schemes/check_elimination.cpp - one check for several
// accesses ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/check_elimination.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <tuple>

using namespace llvm;
using namespace warpsan;

CheckElimination::CheckElimination(Function &Kernel)
    : Kernel(Kernel), Dominators(Kernel), Loops(Dominators), Assumed(Kernel),
      Library(NoLibrary),
      Evolution(Kernel, Library, Assumed, Dominators, Loops) {}

bool CheckElimination::isPlain(const Access &A) {
  return A.Known && A.Pointer && !A.Index && !A.Count && !A.Image &&
         A.CountOperand < 0;
}

CheckElimination::Place CheckElimination::placeOf(Value *Pointer) const {
  const DataLayout &Layout = Kernel.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  if (Base->getType() != Pointer->getType()) // into another memory
    return {Pointer, 0};
  return {Base, Offset.getSExtValue()};
}

void CheckElimination::begin(const std::vector<Access> &Accesses) {
  for (unsigned I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (!isPlain(A))
      continue;
    const Place At = placeOf(A.Pointer);
    const Neighbors::End Here{At.Offset, A.Bytes};
    auto [It, New] = Groups.try_emplace({A.At->getParent(), At.Base},
                                        Neighbors{At.Base, Here, Here});
    Neighbors &All = It->second;
    if (std::tie(Here.Offset, Here.Bytes) <
        std::tie(All.First.Offset, All.First.Bytes))
      All.First = Here;
    if (const int64_t End = At.Offset + static_cast<int64_t>(A.Bytes);
        std::tie(End, Here.Offset) >
        std::make_tuple(All.end(), All.Last.Offset))
      All.Last = Here;
    Members[I] = {&All, At.Offset, A.Bytes};
  }
}

CheckElimination::Neighbors *CheckElimination::around(unsigned Number) {
  auto It = Members.find(Number);
  if (It == Members.end())
    return nullptr;
  Neighbors *All = It->second.Of;
  const bool One = All->First.Offset == All->Last.Offset &&
                   All->First.Bytes == All->Last.Bytes;
  return One ? nullptr : All;
}

CheckElimination::Neighbors::End *CheckElimination::endOf(unsigned Number) {
  const Member &M = Members.at(Number);
  for (Neighbors::End *Each : {&M.Of->First, &M.Of->Last})
    if (Each->Offset == M.Offset && Each->Bytes == M.Bytes)
      return Each;
  return nullptr;
}

CheckElimination::Found &CheckElimination::sameBefore(const Access &A) {
  if (!isPlain(A))
    return Alone = {};
  const Place At = placeOf(A.Pointer);
  auto &All = Before[{At.Base, At.Offset, A.Bytes}];
  for (auto &[Earlier, What] : All)
    if (Dominators.dominates(Earlier, A.At))
      return What;
  All.push_back({A.At, {}});
  return All.back().second;
}

std::optional<CheckElimination::Iterations>
CheckElimination::iterationsOf(const Access &A) {
  llvm::Loop *Around =
      isPlain(A) ? Loops.getLoopFor(A.At->getParent()) : nullptr;
  BasicBlock *Ahead = Around ? Around->getLoopPreheader() : nullptr;
  BasicBlock *Latch = Around ? Around->getLoopLatch() : nullptr;
  BasicBlock *Exit =
      Around ? Around->getExitingBlock() : nullptr; // the only one
  if (!Ahead || !Latch || !Exit ||
      !Dominators.dominates(A.At->getParent(), Latch))
    return std::nullopt;
  const SCEV *Pointer = Evolution.getSCEV(A.Pointer);
  const auto *Base = dyn_cast<SCEVUnknown>(Evolution.getPointerBase(Pointer));
  const SCEV *Back = Evolution.getBackedgeTakenCount(Around);
  if (!Base || isa<SCEVCouldNotCompute>(Pointer) ||
      isa<SCEVCouldNotCompute>(Back))
    return std::nullopt;
  Type *I64 = Type::getInt64Ty(Kernel.getContext());
  const SCEV *First = Evolution.removePointerBase(Pointer), *Last = First;
  // How often it comes around to the access again, after the first time.
  const SCEV *Again = Evolution.getTruncateOrZeroExtend(Back, I64);
  const SCEV *None = nullptr;
  // The loop may end in each iteration before the access, or behind it.
  if (Exit != Latch && A.At->getParent() != Exit &&
      Dominators.dominates(Exit, A.At->getParent())) {
    None = Again;
    Again = Evolution.getMinusSCEV(Again, Evolution.getOne(I64));
  }
  if (const auto *Moves = dyn_cast<SCEVAddRecExpr>(First)) {
    if (Moves->getLoop() != Around || !Moves->isAffine() ||
        First->getType() != I64)
      return std::nullopt;
    First = Moves->getStart();
    Last = Moves->evaluateAtIteration(Again, Evolution);
  }
  for (const SCEV *Each : {First, Last})
    if (!Evolution.isLoopInvariant(Each, Around))
      return std::nullopt;
  Instruction *Here = Ahead->getTerminator();
  SCEVExpander Expander(Evolution, Kernel.getDataLayout(), "iteration");
  auto IsWide = [](const SCEV *Part) { // as counting may make it
    return Part->getType()->isIntegerTy() &&
           Part->getType()->getIntegerBitWidth() > 64;
  };
  for (const SCEV *Each : {First, Last, None})
    if (Each && (SCEVExprContains(Each, IsWide) ||
                 !Expander.isSafeToExpandAt(Each, Here)))
      return std::nullopt;
  if (const auto *I = dyn_cast<Instruction>(Base->getValue());
      I && !Dominators.dominates(I, Here))
    return std::nullopt;
  auto Make = [&](const SCEV *Of) {
    return Expander.expandCodeFor(Of, I64, Here->getIterator());
  };
  Iterations Made{Here, Base->getValue(), Make(First), nullptr, nullptr};
  Made.Last = First == Last ? Made.First : Make(Last);
  if (None)
    Made.None =
        IRBuilder<>(Here).CreateICmpEQ(Make(None), ConstantInt::get(I64, 0));
  return Made;
}
