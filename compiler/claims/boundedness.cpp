//===- compiler/claims/boundedness.cpp - which nodes a launch can bound ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"
#include "proof/walk.h"

using namespace llvm;
using namespace warpsan;
using Op = warpsan::Node::Op;

/// The nodes below \p Index that need a bound: unknown values, counters and
/// geometric recurrences.
const std::set<uint32_t> &ExpressionBuilder::unboundedLeaves(uint32_t Index) {
  auto [It, New] = UnboundedLeaves.try_emplace(Index);
  if (!New)
    return It->second;
  const warpsan::Node N = Result.Nodes[Index];
  std::set<uint32_t> All;
  // A narrow type is a bound.
  constexpr unsigned Few = 16;
  if (N.Opcode == Op::counter || N.Opcode == Op::multiplied ||
      N.Opcode == Op::poison ||
      ((N.Opcode == Op::opaque || N.Opcode == Op::mixed ||
        N.Opcode == Op::loaded) &&
       N.Width > Few))
    All.insert(Index);
  for (uint32_t Each : boundingOperands(N)) {
    const std::set<uint32_t> &More = unboundedLeaves(Each);
    All.insert(More.begin(), More.end());
  }
  return UnboundedLeaves[Index] = std::move(All);
}

/// The operands that must be bounded for \p N to be. A clamp needs its limits,
/// a remainder its divisor.
SmallVector<uint32_t, 2>
ExpressionBuilder::boundingOperands(const warpsan::Node &N) {
  const unsigned Operands = N.Opcode == Op::mixed ? 0 : operandsOf(N.Opcode);
  if (Operands < 2)
    return SmallVector<uint32_t, 2>(Operands, N.A);
  const bool IsMin = N.Opcode == Op::smin, IsMax = N.Opcode == Op::smax;
  if (IsMin || IsMax)
    for (auto [Inner, Outer] : {std::pair(N.A, N.B), {N.B, N.A}})
      if (const warpsan::Node &M = Result.Nodes[Inner];
          M.Opcode == (IsMin ? Op::smax : Op::smin))
        for (auto [Held, Limit] : {std::pair(M.A, M.B), {M.B, M.A}})
          if (!unboundedLeaves(Held).empty())
            return {Limit, Outer};
  if (N.Opcode == Op::urem || N.Opcode == Op::srem)
    return {N.B};
  if (N.Opcode == Op::umin || N.Opcode == Op::bit_and)
    for (uint32_t Each : {N.A, N.B})
      if (unboundedLeaves(Each).empty())
        return {Each};
  return {N.A, N.B};
}

/// True if a latch condition compares a geometric recurrence of the loop with a
/// bounded value. The prover can then enumerate the iterations.
bool ExpressionBuilder::endsGeometrically(uint32_t LoopIndex,
                                          const std::set<uint32_t> &Bounded) {
  const llvm::Loop &L = *LoopOrder[LoopIndex];
  const uint32_t HeaderCond = condition(L.getHeader());
  for (uint32_t At = latchCondition(L); At && At != HeaderCond;
       At = Result.Conditions[At].Outer) {
    const Condition C = Result.Conditions[At];
    const bool Steps =
        anyBelow(Result, {C.A, C.B}, [&](uint32_t, const warpsan::Node &N) {
          return isGeometric(N.Opcode) && N.Value == LoopIndex;
        });
    auto IsBounded = [&](uint32_t Side) {
      return all_of(unboundedLeaves(Side), [&](uint32_t Each) {
        const warpsan::Node &N = Result.Nodes[Each];
        return Bounded.contains(Each) ||
               (isRecurrence(N.Opcode) && N.Value == LoopIndex);
      });
    };
    if (Steps && IsBounded(C.A) && IsBounded(C.B))
      return true;
  }
  return false;
}

bool ExpressionBuilder::canBeBounded(uint32_t Index, uint32_t Where,
                                     bool ByContents) {
  std::set<uint32_t> Bounded;
  if (any_of(unboundedLeaves(Index), [&](uint32_t Each) {
        return Result.Nodes[Each].Opcode == Op::poison;
      }))
    return false;
  auto IsBounded = [&](uint32_t Node) {
    return all_of(unboundedLeaves(Node), [&](uint32_t Needed) {
      return Bounded.contains(Needed) ||
             (ByContents && Result.Nodes[Needed].Opcode == Op::loaded);
    });
  };
  std::set<uint32_t> Asserted;
  auto Add = [&](uint32_t From) {
    for (uint32_t At = From; At; At = Result.Conditions[At].Outer)
      Asserted.insert(At);
  };
  Add(Where);
  for (uint32_t Needed : unboundedLeaves(Index))
    if (const warpsan::Node N = Result.Nodes[Needed]; isRecurrence(N.Opcode))
      Add(latchCondition(*LoopOrder[static_cast<size_t>(N.Value)]));
  // A bounded side of a condition bounds the other.
  for (bool More = true; More && !IsBounded(Index);) {
    const size_t Before = Bounded.size();
    for (uint32_t At : Asserted) {
      const Condition C = Result.Conditions[At];
      // Lower bounds and inequalities bound only recurrences.
      const bool Equal = C.Pred == Condition::Predicate::Equal;
      const bool Unequal = C.Pred == Condition::Predicate::NotEqual;
      auto Limit = [&](uint32_t Side, bool All) {
        for (uint32_t Each : unboundedLeaves(Side))
          if (All || isRecurrence(Result.Nodes[Each].Opcode))
            Bounded.insert(Each);
      };
      if (IsBounded(C.B))
        Limit(C.A, !Unequal);
      if (IsBounded(C.A))
        Limit(C.B, Equal);
    }
    for (uint32_t Needed : unboundedLeaves(Index))
      if (const warpsan::Node N = Result.Nodes[Needed];
          isRecurrence(N.Opcode) && !Bounded.contains(Needed) &&
          endsGeometrically(static_cast<uint32_t>(N.Value), Bounded))
        Bounded.insert(Needed);
    More = Bounded.size() > Before;
  }
  return IsBounded(Index);
}
