//===- proof/races/races.h - can work-items of a launch race? -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch is free of data races if no two accesses of two work-items, one of
// which writes, overlap and are not ordered. Two work-items of different
// work-groups are never ordered. Those of one work-group are, by a barrier.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_RACES_H
#define WARPSAN_PROOF_RACES_RACES_H

#include "proof/prove.h"
#include "proof/races/race_claims.h"

#include <span>
#include <vector>

namespace warpsan {

/// What an argument points into: arguments with equal Memory may overlap, those
/// with different ones do not.
struct ArgPlace {
  uint64_t Memory = 0; ///< 0: not known, may be any
  /// Byte in Memory where the argument's memory, of LaunchValues::Arg::Size
  /// bytes, begins.
  uint64_t First = 0;
};

/// Two accesses that may race.
struct PossibleRace {
  uint32_t A = 0, B = 0; ///< indices into RaceClaims::Accesses; A <= B
  bool BetweenGroups = false;
};

/// The pairs of \p Races' accesses that are not proven to be ordered or apart;
/// each once for work-items of one work-group, and once for those of different
/// work-groups. \p Places: by argument.
///
/// Accesses must be in bounds of their memory, or not be performed, and
/// areUniform() must be true of the launch.
std::vector<PossibleRace> possibleRaces(const Claims &Kernel,
                                        const RaceClaims &Races,
                                        const LaunchValues &Launch,
                                        std::span<const ArgPlace> Places);

/// The accesses of these pairs, as RaceAccess::Site, sorted: what must be
/// watched to find every race. Faster, since not all pairs have to be judged.
std::vector<uint32_t> racingSites(const Claims &Kernel, const RaceClaims &Races,
                                  const LaunchValues &Launch,
                                  std::span<const ArgPlace> Places);

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_RACES_H
