//===- proof/prove.h - do all accesses of a launch stay inside? -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch is where everything is known: sizes, scalars, the whole NDRange.
// Each node of proof/expression.h becomes an exact sum of unknowns (ids, rounds
// of loops, quotients) that is congruent to the value in the kernel; where a
// wider value is made of a narrower one, the sum must fit or it proves nothing.
// No wrap-around is assumed away. Where an overflow is undefined behavior it
// must be shown that there is none (poison.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_PROVE_H
#define WARPSAN_PROOF_PROVE_H

#include "proof/expression.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace warpsan {

/// What is known of a launch.
struct LaunchValues {
  struct Arg {
    std::string_view Bytes; ///< of a value; empty: not known
    uint64_t Size = 0;      ///< of its memory, bytes
    uint64_t Start = 0;     ///< where in that it points to
    bool Readable = true, Writable = true;
  };
  /// What memory contains, as signed numbers.
  struct Range {
    int64_t Least = 0, Most = 0;
  };
  std::span<const Arg> Args;
  /// By index of Claims::Contents. Fewer: the others are not known.
  std::span<const std::optional<Range>> Contents;
  std::array<uint64_t, 3> Offset = {}, Global = {1, 1, 1};
  std::array<uint64_t, 3> Local = {1, 1, 1}; ///< 0: the driver's choice
  uint64_t MostLocal = 1; ///< work-items of a group, whatever is chosen
};

/// Of one claim, in a whole launch.
struct Verdict {
  bool Holds = false;
  /// Where the access begins, at least and at most, as far as it could be told.
  std::optional<int64_t> Least, Most;
  /// What it is calculated with may overflow, or be undefined otherwise: then
  /// Least and Most are of numbers that wrap.
  bool MayOverflow = false;
};

/// Tells of each of \p Some, claims of \p Of, whether it holds, and what was
/// found.
std::vector<Verdict> prove(const Claims &Of, std::span<const Claim> Some,
                           const LaunchValues &Launch);

/// True if each of \p Of's branches is the same for all work-items of a
/// work-group in the whole launch.
bool areUniform(const Claims &Of, const LaunchValues &Launch);
/// The same of one.
bool isUniform(const Claims &Of, const BarrierBranch &Which,
               const LaunchValues &Launch);

/// True if all of them do.
bool proveAll(const Claims &Of, std::span<const Claim> Some,
              const LaunchValues &Launch);

} // namespace warpsan

#endif // WARPSAN_PROOF_PROVE_H
