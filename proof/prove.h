//===- proof/prove.h - are all accesses of a launch in bounds? ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At launch, sizes, scalar arguments and the NDRange are known. Each node of
// proof/expression.h becomes an affine expression over unknowns: IDs, iteration
// numbers, quotients. The expression is congruent to the kernel's value. Where
// a value is extended, the expression must fit the narrower type, or nothing is
// proven. Wrapping is never ruled out by assumption. Where overflow is
// undefined behavior, its absence must be proven (poison.cpp).
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

/// Work-groups First to Last of a dimension.
struct GroupRange {
  uint64_t First = 0, Last = UINT64_MAX;
};
using GroupRanges = std::array<GroupRange, 3>;

/// Everything that is known about a launch.
struct LaunchValues {
  struct Arg {
    std::string_view Bytes; ///< value argument; empty: unknown
    uint64_t Size = 0;      ///< bytes of its memory
    uint64_t Start = 0;     ///< byte offset of the pointer in it
    bool Readable = true, Writable = true;
  };
  /// Value range of integers in memory, as signed numbers.
  struct Range {
    int64_t Min = 0, Max = 0;
  };
  std::span<const Arg> Args;
  /// By index of Claims::Contents. Missing entries are unknown.
  std::span<const std::optional<Range>> Contents;
  std::array<uint64_t, 3> Offset = {}, Global = {1, 1, 1};
  std::array<uint64_t, 3> Local = {1, 1, 1}; ///< 0: chosen by the driver
  uint64_t MaxLocal = 1; ///< largest work-group the driver may choose
  /// Only these work-groups are considered, in dimensions whose Local is known.
  GroupRanges Groups = {};
};

/// The result for one claim in a whole launch.
struct Verdict {
  bool Holds = false;
  /// Bounds of the access's first byte; none if not found.
  std::optional<int64_t> Min, Max;
  /// The offset may be poison, for example by signed overflow. Min and Max then
  /// assume that it wraps.
  bool MayOverflow = false;
};

/// Returns a verdict for each of \p Some, which are claims of \p Kernel. A
/// budget limits the time to about 10 ms.
std::vector<Verdict> prove(const Claims &Kernel, std::span<const Claim> Some,
                           const LaunchValues &Launch);

/// True if every branch in Kernel.Branches is uniform in each work-group of the
/// launch.
bool areUniform(const Claims &Kernel, const LaunchValues &Launch);
/// The same for one branch.
bool isUniform(const Claims &Kernel, const BarrierBranch &Which,
               const LaunchValues &Launch);

} // namespace warpsan

#endif // WARPSAN_PROOF_PROVE_H
