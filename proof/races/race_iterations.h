//===- proof/races/race_iterations.h - pairs of accesses by iteration -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to proof/. As proof/per_iteration.cpp does for claims: two accesses
// that depend on a loop in whose iteration number a value is not affine, for
// example by a stride that halves, are asked about once for each of its
// iterations. A loop that both work-items are in at once, since it has
// barriers, has one iteration for both.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_RACE_ITERATIONS_H
#define WARPSAN_PROOF_RACES_RACE_ITERATIONS_H

#include "proof/races/race_pair.h"

#include <span>
#include <vector>

namespace warpsan {

/// Asks PairProver::areApart() for each choice of iterations.
class RaceIterations {
public:
  /// \p Both must have at most LoopDependence::MaxLoops loops.
  RaceIterations(const TwoItems &Both, const LaunchValues &Launch)
      : Both(Both), Launch(Launch), Dependence(Both.claims()) {}

  /// True if \p A and \p B are apart in every iteration. Facts and steps that
  /// are used are taken off \p Facts and \p Steps.
  bool areApart(const RaceAccess &A, const RaceAccess &B, Int Shift,
                PairProver::Items Which, std::span<const RelatedLoop> Related,
                int64_t &Facts, int &Steps);

private:
  /// A loop of one work-item whose iteration is chosen, or of both.
  struct Choice {
    uint32_t LoopIndex;
    std::optional<RelatedLoop> Other; ///< work-item 1's is Apart less
    unsigned Depth;
  };
  /// What is asked, and how much may still be spent.
  struct Question {
    const RaceAccess &A, &B;
    Int Shift;
    PairProver::Items Which;
    std::span<const RelatedLoop> Related;
    int64_t &Facts;
    int &Steps;
    int Tries = 300;
  };

  std::vector<Choice> choicesFor(const Question &Q) const;
  bool choose(Question &Q, std::span<const Choice> Left,
              Prover::IterationMap &Iterations);

  /// Strides that double or halve take at most 64 iterations, plus the ends.
  static constexpr uint32_t MaxIterations = 66;

  const TwoItems &Both;
  const LaunchValues &Launch;
  const LoopDependence Dependence;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_RACE_ITERATIONS_H
