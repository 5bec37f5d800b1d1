//===- proof/loops.cpp - trip counts and counters -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"
#include "proof/walk.h"

#include <algorithm>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

/// The step as a signed number: -1 may be stored as 2^width - 1.
Int Prover::signedStep(const Node &Counter, const AffineExpr &Step) {
  const Int Bits = Step.Constant & (powerOfTwo(Counter.Width) - 1);
  return Bits < powerOfTwo(Counter.Width - 1)
             ? Bits
             : Bits - powerOfTwo(Counter.Width);
}

Value Prover::makeCounter(const Node &N, uint32_t Index, uint32_t Where) {
  const Value Start = value(N.A, Where), Step = value(N.B, Where);
  if (!Step.Expr.isConstant())
    return makeAdvance(N, Index, Start);
  const Int By = signedStep(N, Step.Expr);
  const auto LoopIndex = static_cast<uint32_t>(N.Value);
  if (const auto Fixed = Iterations[LoopIndex]) {
    if (auto Expr = combine(1, Start.Expr, By, AffineExpr(Int(*Fixed))))
      return {*Expr, Start.Exact};
    return unconstrained(Index, true);
  }
  const uint32_t Iteration = iterationOf(LoopIndex);
  if (auto Expr = combine(1, Start.Expr, By, AffineExpr::unknown(Iteration)))
    return {*Expr, Start.Exact && System[Iteration].Max < Unbounded};
  return unconstrained(Index, true);
}

/// A counter whose step is the same in each iteration but only known to be in a
/// range: the start plus an unknown distance, bounded by multiples of the
/// iteration number.
Value Prover::makeAdvance(const Node &N, uint32_t Index, const Value &Start) {
  const auto LoopIndex = static_cast<uint32_t>(N.Value);
  const uint32_t HeaderCond = Kernel.Loops[LoopIndex].HeaderCond;
  // A step that depends on a loop may depend on an assumption.
  for (uint32_t I = 0; I < Kernel.Loops.size(); ++I)
    if (Iterations[I] || dependsOn(N.B, I))
      return unconstrained(Index, true);
  const auto Found = AdvanceOf.find(Index);
  // During an attempt, the step's range may depend on an assumption.
  if (Found == AdvanceOf.end() && CurrentAttempt)
    return unconstrained(Index, true);
  auto [It, New] = AdvanceOf.try_emplace(Index);
  if (New) {
    const AffineExpr By = resolve(N.B, HeaderCond, true).Expr;
    const Int Min = minOf(By, HeaderCond), Max = maxOf(By, HeaderCond);
    if (Min < 1 || Max >= Unbounded)
      return unconstrained(Index, true);
    const uint32_t Iteration = iterationUnknown(LoopIndex);
    It->second = System.add(0, Unbounded);
    Advances[*It->second] = {Iteration, Min, Max};
    const AffineExpr Distance = AffineExpr::unknown(*It->second),
                     R = AffineExpr::unknown(Iteration);
    for (auto Fact :
         {combine(1, Distance, -Min, R), combine(Max, R, -1, Distance)})
      Places[0].Definitions.add({*Fact, *It->second});
  }
  if (!It->second)
    return unconstrained(Index, true);
  const uint32_t Iteration = iterationOf(LoopIndex);
  if (auto Expr = combine(1, Start.Expr, 1, AffineExpr::unknown(*It->second)))
    return {*Expr, Start.Exact && System[Iteration].Max < Unbounded};
  return unconstrained(Index, true);
}

/// An upper bound of \p NotNegative that replaces the distances of inexact
/// counters by multiples of iteration numbers.
std::optional<AffineExpr> Prover::inIterations(AffineExpr NotNegative) const {
  for (const auto &[Distance, Each] : Advances) {
    const Int Coeff = NotNegative.coeffOf(Distance);
    if (Coeff == 0)
      continue;
    auto Less = combine(1, NotNegative, -Coeff, AffineExpr::unknown(Distance));
    auto More =
        Less ? combine(
                   Coeff < 0 ? Each.Min : Each.Max,
                   *combine(Coeff, AffineExpr::unknown(Each.Iteration), 0, {}),
                   1, *Less)
             : Less;
    if (!More)
      return std::nullopt;
    NotNegative = *More;
  }
  return NotNegative;
}

uint32_t Prover::iterationUnknown(uint32_t LoopIndex) {
  TripCount &R = TripCounts[LoopIndex];
  if (!R.Unknown)
    R.Unknown = System.add(0, Unbounded);
  return *R.Unknown;
}

/// The unknown for the loop's iteration number. Bounds the trip count at first
/// use.
uint32_t Prover::iterationOf(uint32_t LoopIndex) {
  TripCount &R = TripCounts[LoopIndex];
  iterationUnknown(LoopIndex);
  if (R.State != TripCount::Unvisited)
    return *R.Unknown;
  R.State = TripCount::InProgress;
  // A failure during another attempt is not final: more may be known later.
  const bool Bounded = boundTripCount(LoopIndex);
  R.State = Bounded || !CurrentAttempt ? TripCount::Done : TripCount::Unvisited;
  if (Bounded && CurrentAttempt)
    CurrentAttempt->Bounded.push_back(LoopIndex);
  return *R.Unknown;
}

/// True if a recurrence of the loop is part of the computation.
bool Prover::dependsOn(uint32_t NodeIndex, uint32_t LoopIndex) {
  return anyBelow(Kernel, {NodeIndex}, [&](uint32_t, const Node &N) {
    return isRecurrence(N.Opcode) && N.Value == LoopIndex;
  });
}

/// True if \p C, a latch condition, depends on an inner loop whose iteration is
/// fixed. In other iterations of this loop that value differs.
bool Prover::dependsOnChosenInner(const Condition &C, uint32_t LoopIndex) {
  if (!Dependence)
    return false;
  const uint64_t Others = Dependence->withTripCounts(Dependence->node(C.A).All |
                                                     Dependence->node(C.B).All);
  for (uint32_t Other = 0; Other < Iterations.size(); ++Other)
    if (Iterations[Other] && Others >> Other & 1 &&
        isNestedIn(Kernel, Other, LoopIndex))
      return true;
  return false;
}

/// The latch conditions that depend on the loop's recurrences, each under the
/// loop's header condition.
std::vector<Condition> Prover::latchConditions(uint32_t LoopIndex) {
  const Loop &L = Kernel.Loops[LoopIndex];
  std::vector<Condition> All;
  for (uint32_t At = L.LatchCond; At && At != L.HeaderCond;
       At = Kernel.Conditions[At].Outer) {
    Condition C = Kernel.Conditions[At];
    C.Outer = L.HeaderCond;
    if ((dependsOn(C.A, LoopIndex) || dependsOn(C.B, LoopIndex)) &&
        !dependsOnChosenInner(C, LoopIndex))
      All.push_back(C);
  }
  return All;
}

/// Tries each latch condition. One bound may make another possible.
bool Prover::boundTripCount(uint32_t LoopIndex) {
  if (!CurrentAttempt)
    facts(Kernel.Loops[LoopIndex]
              .HeaderCond); // outside of an attempt, results are kept
  std::vector<Condition> Left = latchConditions(LoopIndex);
  bool Bounded = false;
  for (bool More = true; More;) {
    const size_t Used = std::erase_if(Left, [&](const Condition &C) {
      return boundTripCountBy(C, LoopIndex);
    });
    Bounded |= Used > 0;
    More = Used > 0 && !Left.empty();
  }
  if (Bounded)
    learnFromLatch(LoopIndex);
  return Bounded;
}

/// Bounds the trip count by \p C, a latch condition, assuming that no counter
/// wraps. Then proves, with that bound, that none does. So the first iteration
/// that could wrap is never reached.
bool Prover::boundTripCountBy(const Condition &C, uint32_t LoopIndex) {
  Attempt Mine;
  Attempt *Outer = std::exchange(CurrentAttempt, &Mine);
  const uint32_t Unknown = *TripCounts[LoopIndex].Unknown;
  Open.push_back(Unknown);
  const Int Max = tripCountAfter(C, LoopIndex);
  Open.pop_back();
  CurrentAttempt = Outer;
  // Their bounds may depend on the assumption.
  for (uint32_t Other : Mine.Bounded) {
    TripCounts[Other].State = TripCount::Unvisited;
    System[*TripCounts[Other].Unknown].Max = Unbounded;
  }
  const Int Before = System[Unknown].Max;
  if (Max >= Unbounded)
    return false;
  System[Unknown].Max = std::min(Before, Max);
  for (const Assumption &A : Mine.Assumed)
    if (!isInRange(A.Expr, A.Min, A.Max, C.Outer)) {
      System[Unknown].Max = Before;
      return false;
    }
  return true;
}

/// True if an unknown of \p F depends on the loop's counters other than as an
/// affine function of the iteration number.
bool Prover::changesNonAffinely(const AffineExpr &F, uint32_t LoopIndex) {
  return std::ranges::any_of(Unconstrained,
                             [&](const auto &Each) {
                               return F.coeffOf(Each.second) != 0 &&
                                      dependsOn(Each.first.first, LoopIndex);
                             }) ||
         hasAdvanced(F, *TripCounts[LoopIndex].Unknown);
}

/// The facts that \p C states of an iteration at whose end it held, if no
/// counter wraps.
std::vector<AffineExpr> Prover::factsOfIteration(const Condition &C,
                                                 uint32_t LoopIndex) {
  std::vector<AffineExpr> Facts;
  if (C.Pred != Condition::Predicate::NotEqual) {
    addInfo(C, Facts);
    return Facts;
  }
  if (C.InvariantIn != LoopIndex + 1)
    return Facts;
  // A distance that decreases by one per iteration and ends the loop at zero.
  const uint32_t Unknown = *TripCounts[LoopIndex].Unknown;
  const Value A = resolve(C.A, C.Outer, true), B = resolve(C.B, C.Outer, true);
  auto Left = combine(-1, A.Expr, 1, B.Expr);
  if (!Left || A.Poison || B.Poison || changesNonAffinely(*Left, LoopIndex))
    return Facts;
  const Int Step = Left->coeffOf(Unknown);
  auto Start = combine(1, *Left, -Step, AffineExpr::unknown(Unknown));
  if (Start && Step == -1 && minOf(*Start, C.Outer, 0) >= 0)
    Facts.push_back(*combine(1, *Left, 1, AffineExpr(-1)));
  else if (Start && Step == 1 && maxOf(*Start, C.Outer, 0) <= 0)
    Facts.push_back(*combine(-1, *Left, 1, AffineExpr(-1)));
  return Facts;
}

/// An upper bound of the trip count by \p C; Unbounded if there is none.
Int Prover::tripCountAfter(const Condition &C, uint32_t LoopIndex) {
  const uint32_t Unknown = *TripCounts[LoopIndex].Unknown;
  Int Best = Unbounded;
  for (const AffineExpr &Each : factsOfIteration(C, LoopIndex)) {
    const auto Fact = inIterations(Each);
    const Int Step = Fact ? Fact->coeffOf(Unknown) : 0;
    if (Step >= 0)
      continue;
    // Fact = Rest + Step * iteration >= 0
    auto Rest = combine(1, *Fact, -Step, AffineExpr::unknown(Unknown));
    const Int Max = Rest ? maxOf(*Rest, C.Outer) : Unbounded;
    if (Max < Unbounded)
      Best = std::min(Best, std::max<Int>(floorDivide(Max, -Step) + 1, 0));
  }
  return Best;
}

/// Adds facts that relate the iteration number to other unknowns. In each
/// iteration but the first, the latch condition held at the end of the previous
/// one. The first iteration always runs: there the same fact must follow from
/// the header condition. Otherwise it is weakened until it does.
void Prover::learnFromLatch(uint32_t LoopIndex) {
  const uint32_t Unknown = *TripCounts[LoopIndex].Unknown;
  for (const Condition &C : latchConditions(LoopIndex)) {
    if (C.InvariantIn != LoopIndex + 1)
      continue;
    for (const AffineExpr &Fact : factsOfIteration(C, LoopIndex)) {
      const Int Step = Fact.coeffOf(Unknown);
      if (Step >= 0 || Fact.Count < 2 || changesNonAffinely(Fact, LoopIndex))
        continue;
      auto Before = combine(1, Fact, 1, AffineExpr(-Step)); // of iteration - 1
      auto First =
          Before ? combine(1, *Before, -Step, AffineExpr::unknown(Unknown))
                 : Before;
      const Int Short = First ? -minOf(*First, C.Outer, 0) : Unbounded;
      if (Short < Unbounded)
        addDefinition(
            combine(1, *Before, 1, AffineExpr(std::max<Int>(Short, 0))),
            C.Outer, AffineExpr::unknown(Unknown));
    }
  }
}

/// True if \p F contains the distance of a counter of this loop.
bool Prover::hasAdvanced(const AffineExpr &F, uint32_t Iteration) const {
  return std::ranges::any_of(Advances, [&](const auto &Each) {
    return Each.second.Iteration == Iteration && F.coeffOf(Each.first) != 0;
  });
}
