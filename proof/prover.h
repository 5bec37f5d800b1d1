//===- proof/prover.h - evaluates nodes for one launch --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to proof/. Other directories use prove.h.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_PROVER_H
#define WARPSAN_PROOF_PROVER_H

#include "proof/affine.h"
#include "proof/loop_dependence.h"
#include "proof/prove.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpsan {

/// The value of a node: congruent to Expr modulo 2^width.
struct Value {
  AffineExpr Expr;
  /// No precision was lost; a stronger condition cannot refine it.
  bool Exact = true;
  /// No work-item computes it: the place is unreachable.
  bool Unreachable = false;
  /// It may be poison. Nothing may be concluded from it.
  bool Poison = false;
};

/// The smallest and largest numbers of \p Width bits.
inline std::pair<Int, Int> rangeOf(unsigned Width, bool Signed) {
  if (!Signed)
    return {Int(0), powerOfTwo(Width) - 1};
  return {-powerOfTwo(Width - 1), powerOfTwo(Width - 1) - 1};
}

/// Evaluates nodes and judges claims for one launch. Caches all results.
class Prover {
public:
  /// By loop: its current iteration, counted from 0, where one is fixed.
  using IterationMap = std::vector<std::optional<uint32_t>>;

  Prover(const Claims &Kernel, const LaunchValues &Launch)
      : Prover(Kernel, Launch, IterationMap(Kernel.Loops.size()), nullptr) {}
  /// Proves claims for the iterations that \p Iterations fixes. \p Dependence
  /// must not be null if any is fixed.
  Prover(const Claims &Kernel, const LaunchValues &Launch,
         IterationMap Iterations, const LoopDependence *Dependence)
      : Kernel(Kernel), Launch(Launch), Iterations(std::move(Iterations)),
        Dependence(Dependence), Places(Kernel.Conditions.size()),
        TripCounts(Kernel.Loops.size()) {}

  /// True if \p C is proven.
  bool holds(const Claim &C);
  /// The same, with bounds of the offset.
  Verdict judge(const Claim &C);
  /// True if no work-item reaches a place where \p Where holds.
  bool isUnreachable(uint32_t Where);
  /// The same by a search: slower, but finds more cases.
  bool isImpossible(uint32_t Where);
  /// True if no work-item performs the access of \p C.
  bool isUnreachable(const Claim &C) {
    return isUnreachable(C.Where) || value(C.Offset, C.Where).Unreachable;
  }
  /// Upper bound of the loop's iteration number; Unbounded if none is known.
  Int maxIteration(uint32_t LoopIndex) {
    return System[iterationOf(LoopIndex)].Max;
  }

  // For questions about two work-items (proof/races/race_pair.h), of which
  // Kernel describes both.

  /// Both work-items are of one work-group. Must be called first.
  void shareGroup() { SharesGroup = true; }
  /// The node's number, as signed; see resolve().
  Value numberAt(uint32_t NodeIndex, uint32_t Where) {
    return resolve(NodeIndex, Where, /*Signed=*/true);
  }
  /// An ID of work-item \p Item, 0 or 1, as Node::Op::global_id and its like.
  AffineExpr idOf(Node::Op Which, uint32_t Dimension, unsigned Item) {
    return makeId({Which, 64, Dimension, 0, static_cast<int64_t>(Item)}).Expr;
  }
  /// The loop's iteration number.
  AffineExpr iterationAt(uint32_t LoopIndex) {
    if (const auto Fixed = Iterations[LoopIndex])
      return {Int(*Fixed)};
    return AffineExpr::unknown(iterationOf(LoopIndex));
  }
  /// Facts of \p Where and all outer conditions; valid as long as this is.
  std::vector<const FactSet *> factsAt(uint32_t Where) { return facts(Where); }
  ConstraintSystem &system() { return System; }
  /// True if the unknowns \p A and \p B stand for the same ID or iteration
  /// number of one work-item each, or for the same node, of which the second
  /// work-item's is \p Nodes behind the first's, and a loop \p Loops.
  bool areTwins(uint32_t A, uint32_t B, uint32_t Nodes, uint32_t Loops) const;

  /// Search steps that remain.
  int &budget() { return System.Budget; }
  /// Facts that may still be visited.
  int64_t &factBudget() { return System.FactBudget; }

private:
  /// Results for the places where one condition holds.
  struct Place {
    std::vector<int32_t> Values; ///< by node: index into Found, or -1
    FactSet Asserts;             ///< that the condition states
    FactSet Definitions;         ///< that define unknowns
    bool AssertsKnown = false;   ///< Asserts is complete
  };
  /// The unknown for a loop's iteration number, and whether it was bounded.
  struct TripCount {
    enum { Unvisited, InProgress, Done } State = Unvisited;
    std::optional<uint32_t> Unknown;
  };
  /// An expression that was used as if in range, before that was proven.
  struct Assumption {
    AffineExpr Expr;
    Int Min, Max;
  };
  /// While a trip count is being bounded, the loop's counters are assumed not
  /// to wrap. That is proven afterwards. Results that depend on the assumption
  /// are discarded.
  struct Attempt {
    std::vector<Assumption> Assumed;
    std::map<std::pair<uint32_t, uint32_t>, Value> Values; ///< node, place
    std::map<uint32_t, FactSet> Asserts, Definitions;      ///< by place
    std::vector<uint32_t> Bounded; ///< other loops bounded during it
  };

  Value value(uint32_t NodeIndex, uint32_t Where);
  Value make(const Node &N, uint32_t Index, uint32_t Where);
  Value makeSum(const Node &N, uint32_t Index, uint32_t Where);
  Value makeProduct(const Node &N, uint32_t Index, uint32_t Where);
  Value makeQuotient(const Node &N, uint32_t Index, uint32_t Where);
  Value makeCast(const Node &N, uint32_t Index, uint32_t Where);
  std::optional<unsigned> shiftAmount(const Node &N, uint32_t Where);
  Value makeMerge(const Node &N, uint32_t Index, uint32_t Where);
  bool isExcluded(uint32_t Choice, uint32_t Where) const;
  Value makeBitwise(const Node &N, uint32_t Index, uint32_t Where);
  Value makeLeaf(const Node &N, uint32_t Index);
  Value makeCounter(const Node &N, uint32_t Index, uint32_t Where);
  Value makeGeometric(const Node &N, uint32_t Index, uint32_t Where);
  Value makeAdvance(const Node &N, uint32_t Index, const Value &Start);
  std::optional<AffineExpr> inIterations(AffineExpr NotNegative) const;
  bool hasAdvanced(const AffineExpr &F, uint32_t Iteration) const;
  Value makeId(const Node &N);
  Value resolve(uint32_t NodeIndex, uint32_t Where, bool Signed);
  Value numberOf(const Value &V, uint32_t NodeIndex, uint32_t Where,
                 bool Signed);
  std::optional<std::pair<Int, Int>>
  productOf(const AffineExpr &A, const AffineExpr &B, uint32_t Where);

  // poison.cpp
  bool mayBePoison(const Node &N, uint32_t Index, uint32_t Where);
  bool mayMergeBePoison(const Node &N, uint32_t Where);
  bool mayWrap(const Node &N, bool Signed, uint32_t Where);
  bool mayCounterWrap(const Node &N, uint32_t Index, bool Signed,
                      uint32_t Where);
  bool mayGeometricWrap(const Node &N, bool Signed, uint32_t Where);
  bool mayDivisionBePoison(const Node &N, bool Signed, uint32_t Where);
  bool mayDecisionBePoison(uint32_t CondA, uint32_t CondB);
  bool fits(const AffineExpr &F, std::pair<Int, Int> Range, uint32_t Where);

  /// True if \p F depends on a loop whose trip count is being bounded.
  bool isOpen(const AffineExpr &F) const {
    return CurrentAttempt && std::ranges::any_of(Open, [&](uint32_t Unknown) {
             return F.coeffOf(Unknown) != 0 || hasAdvanced(F, Unknown);
           });
  }
  Value limited(Value V, uint32_t NodeIndex, uint32_t Where);
  Value divide(const AffineExpr &Dividend, Int By, uint32_t Where);
  Value minOrMax(const Value &A, const Value &B, bool Max, uint32_t Where);
  Value unconstrained(uint32_t NodeIndex, bool Signed);
  Value inRange(Int Min, Int Max, bool Exact);
  static Int signedStep(const Node &Counter, const AffineExpr &Step);
  uint32_t iterationUnknown(uint32_t LoopIndex);
  uint32_t iterationOf(uint32_t LoopIndex);
  bool boundTripCount(uint32_t LoopIndex);
  bool boundTripCountBy(const Condition &C, uint32_t LoopIndex);
  Int tripCountAfter(const Condition &C, uint32_t LoopIndex);
  std::vector<AffineExpr> factsOfIteration(const Condition &C,
                                           uint32_t LoopIndex);
  void learnFromLatch(uint32_t LoopIndex);
  std::vector<Condition> latchConditions(uint32_t LoopIndex);
  bool dependsOn(uint32_t NodeIndex, uint32_t LoopIndex);
  bool dependsOnChosenInner(const Condition &C, uint32_t LoopIndex);
  bool changesNonAffinely(const AffineExpr &F, uint32_t LoopIndex);
  void addDefinition(const std::optional<AffineExpr> &NotNegative,
                     uint32_t Where, const AffineExpr &Owner);
  const FactSet &asserted(uint32_t Where);
  FactSet assertedBy(const Condition &C);
  void addInfo(const Condition &C, std::vector<AffineExpr> &To);
  std::vector<const FactSet *> facts(uint32_t Where);

  Int maxOf(const AffineExpr &F, uint32_t Where, Int Enough = -Unbounded) {
    const Int Alone = System.maxByRanges(F);
    return F.isConstant() || Alone <= Enough
               ? Alone
               : System.maxOf(F, facts(Where), Enough);
  }
  Int minOf(const AffineExpr &F, uint32_t Where, Int Enough = Unbounded) {
    const Int Alone = System.minByRanges(F);
    return F.isConstant() || Alone >= Enough
               ? Alone
               : System.minOf(F, facts(Where), Enough);
  }
  bool isInRange(const AffineExpr &F, Int Min, Int Max, uint32_t Where) {
    return minOf(F, Where, Min) >= Min && maxOf(F, Where, Max) <= Max;
  }

  const Claims &Kernel;
  const LaunchValues &Launch;
  const IterationMap Iterations;
  const LoopDependence *Dependence;
  ConstraintSystem System;
  std::vector<Value> Found;
  std::vector<Place> Places;         ///< by condition
  std::vector<TripCount> TripCounts; ///< by loop
  std::map<std::pair<uint32_t, bool>, uint32_t>
      Unconstrained; ///< by node and sign
  /// By work-item, ID and dimension: 1 + unknown.
  std::array<std::array<std::array<uint32_t, 3>, 3>, 2> Ids{};
  bool SharesGroup = false; ///< shareGroup()
  /// By counter node with an inexact step: the unknown for its distance from
  /// the start. None if its step has no useful bounds.
  std::map<uint32_t, std::optional<uint32_t>> AdvanceOf;
  struct Advance {
    uint32_t Iteration; ///< unknown
    Int Min, Max;       ///< per iteration
  };
  std::map<uint32_t, Advance> Advances; ///< by unknown
  Attempt *CurrentAttempt = nullptr;    ///< innermost, or null
  /// Iteration unknowns of the loops that are being bounded.
  std::vector<uint32_t> Open;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_PROVER_H
