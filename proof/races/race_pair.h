//===- proof/races/race_pair.h - can two accesses overlap? ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to proof/. Other directories use races.h.
//
// Of two accesses of two work-items, both offsets are affine expressions over
// the unknowns of both work-items, and the conditions of both accesses hold. It
// is shown that the distance of the offsets is never so small that the accesses
// overlap, unless both are of one work-item. Where that is not known at once,
// unknowns that are multiplied by the same number in both offsets are compared:
// either one is smaller, or the other is, or they are equal.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_RACE_PAIR_H
#define WARPSAN_PROOF_RACES_RACE_PAIR_H

#include "proof/prover.h"
#include "proof/races/race_claims.h"
#include "proof/races/two_items.h"

#include <deque>
#include <span>
#include <vector>

namespace warpsan {

/// Work-item 0 is in iteration \c Apart behind that of work-item 1.
struct RelatedLoop {
  uint32_t LoopIndex; ///< of work-item 0
  int Apart;

  auto operator<=>(const RelatedLoop &) const = default;
};

/// Answers questions about pairs of accesses in one launch. Caches values.
class PairProver {
public:
  /// Which two work-items are meant: two of one work-group, or two of different
  /// work-groups.
  enum class Items : uint8_t { OfGroup, OfGroups };

  PairProver(const TwoItems &Both, const LaunchValues &Launch, Items Which,
             Prover::IterationMap Iterations, const LoopDependence *Dependence);

  /// True if \p A of work-item 0 and \p B of work-item 1 never overlap. \p B's
  /// memory begins \p Shift bytes behind that of \p A. \p Related: what is
  /// known of the iterations in which they are executed.
  bool areApart(const RaceAccess &A, const RaceAccess &B, Int Shift,
                std::span<const RelatedLoop> Related);

  /// Facts that may still be visited.
  int64_t &factBudget() { return P.factBudget(); }
  /// Search steps that may still be made, but for those of values.
  int &stepBudget() { return StepsLeft; }

private:
  /// The difference of two unknowns, or of two IDs.
  struct Split {
    AffineExpr Difference;
    Int Coeff; ///< what it is multiplied by in the distance; not negative
  };
  using Splits = std::span<const Split>;

  Int minOf(const AffineExpr &F, Int Enough = Unbounded);
  Int maxOf(const AffineExpr &F, Int Enough = -Unbounded);
  bool isZero(const AffineExpr &F);
  template <typename F>
  bool with(std::initializer_list<AffineExpr> NotNegative, F Then);
  bool isImpossible() const;

  bool isOneItem();
  bool areEqual(Node::Op Id);
  std::vector<Split> splitsOf(const AffineExpr &Distance);
  bool isFar(const AffineExpr &Distance);
  bool misses(const AffineExpr &Rest, Int Modulus);
  bool missesModulo(const AffineExpr &Distance, bool Divides);
  bool missesInParts(const AffineExpr &Distance, const AffineExpr &Rest,
                     Int Modulus);
  bool search(const AffineExpr &Distance, Splits Left, bool First);

  const TwoItems &Both;
  const LaunchValues &Launch;
  const Items Which;
  Prover P;
  int StepsLeft = 0;
  // Of the current question:
  Int BytesA = 0, BytesB = 0;
  std::vector<const FactSet *> Known;
  std::deque<FactSet> Cases; ///< facts of the current case, innermost last
  bool UsesModulus = false;
  int CasesLeft = 0;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_RACE_PAIR_H
