//===- proof/uniformity.cpp - do branches diverge in a launch? ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"
#include "proof/walk.h"

#include <algorithm>

using namespace warpsan;
using Op = Node::Op;

/// Ranges of work-groups that are looked at for one branch.
static constexpr int MaxRanges = 64;

/// The dimensions whose group IDs may decide \p Which.
static std::array<bool, 3> decidingDimensions(const Claims &Kernel,
                                              const BarrierBranch &Which) {
  std::vector<uint32_t> From;
  for (uint32_t Where : {Which.IfTrue, Which.IfFalse})
    for (uint32_t At = Where; At; At = Kernel.Conditions[At].Outer) {
      From.push_back(Kernel.Conditions[At].A);
      From.push_back(Kernel.Conditions[At].B);
    }
  std::array<bool, 3> Found = {};
  auto Note = [&](const Node &N) {
    if ((N.Opcode == Op::global_id || N.Opcode == Op::group_id) && N.A < 3)
      Found[N.A] = true;
  };
  const bool InLoop =
      anyBelow(Kernel, std::move(From), [&](uint32_t, const Node &N) {
        Note(N);
        return isRecurrence(N.Opcode);
      });
  // What bounds a loop may depend on any ID.
  if (InLoop)
    std::ranges::for_each(Kernel.Nodes, Note);
  return Found;
}

namespace {
/// Divides the launch until each part takes one direction of a branch.
class Search {
public:
  Search(const Claims &Kernel, const BarrierBranch &Which,
         const LaunchValues &Launch)
      : Kernel(Kernel), Which(Which), Launch(Launch),
        Divisible(decidingDimensions(Kernel, Which)) {
    for (size_t D = 0; D < 3; ++D)
      Divisible[D] &= Launch.Local[D] != 0;
  }

  /// True if each work-group of \p Range takes one direction.
  bool isUniform(const GroupRanges &Range);

private:
  uint64_t groupsOf(const GroupRanges &Range, size_t Dimension) const {
    return Range[Dimension].Last - Range[Dimension].First + 1;
  }

  const Claims &Kernel;
  const BarrierBranch &Which;
  LaunchValues Launch;
  std::array<bool, 3> Divisible;
  int RangesLeft = MaxRanges;
};
} // namespace

bool Search::isUniform(const GroupRanges &Range) {
  if (RangesLeft-- == 0)
    return false;
  Launch.Groups = Range;
  Prover P(Kernel, Launch);
  if (P.isImpossible(Which.IfTrue) || P.isImpossible(Which.IfFalse))
    return true;
  size_t Largest = 3;
  for (size_t D = 0; D < 3; ++D)
    if (Divisible[D] && groupsOf(Range, D) > 1 &&
        (Largest == 3 || groupsOf(Range, D) > groupsOf(Range, Largest)))
      Largest = D;
  if (Largest == 3)
    return false;
  GroupRanges Lower = Range, Upper = Range;
  const uint64_t Half = groupsOf(Range, Largest) / 2;
  Lower[Largest].Last = Range[Largest].First + Half - 1;
  Upper[Largest].First = Range[Largest].First + Half;
  return isUniform(Lower) && isUniform(Upper);
}

bool warpsan::isUniform(const Claims &Kernel, const BarrierBranch &Which,
                        const LaunchValues &Launch) {
  // A single work-item cannot diverge.
  if (std::ranges::all_of(std::array{0, 1, 2}, [&](size_t D) {
        return Launch.Local[D] == 1 || Launch.Global[D] == 1;
      }))
    return true;
  GroupRanges All = {};
  for (size_t D = 0; D < 3; ++D)
    if (Launch.Local[D] && Launch.Global[D])
      All[D].Last = (Launch.Global[D] - 1) / Launch.Local[D];
  return Search(Kernel, Which, Launch).isUniform(All);
}

bool warpsan::areUniform(const Claims &Kernel, const LaunchValues &Launch) {
  return std::ranges::all_of(Kernel.Branches, [&](const BarrierBranch &Each) {
    return isUniform(Kernel, Each, Launch);
  });
}
