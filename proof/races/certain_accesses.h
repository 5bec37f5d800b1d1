//===- proof/races/certain_accesses.h - bytes that a launch surely accesses
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opposite of a proof: bytes that some work-item of a launch accesses,
// whatever memory contains. Expressions are evaluated for a few work-items.
// What depends on memory, on a later iteration or on undefined behavior is not
// known, and left out.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_CERTAIN_ACCESSES_H
#define WARPSAN_PROOF_RACES_CERTAIN_ACCESSES_H

#include "proof/prove.h"
#include "proof/races/race_claims.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpsan {

/// Bytes [First, Last) of a memory.
struct ByteRange {
  uint64_t First = 0, Last = 0;
  bool operator==(const ByteRange &) const = default;
};

/// Bytes of its argument's memory that one access of a launch surely touches.
struct CertainAccess {
  uint32_t Access = 0;           ///< index into RaceClaims::Accesses
  std::vector<ByteRange> Ranges; ///< not empty; sorted, and apart
};

/// What the nodes of \p Kernel are for one work-item of \p Launch.
class ItemValues {
public:
  ItemValues(const Claims &Kernel, const LaunchValues &Launch)
      : Kernel(Kernel), Launch(Launch) {}

  /// The work-item from now on: its global ID. Counters of the loop with index
  /// \p InLoop - 1 and of those around it are meant as of their first
  /// iteration, and of no other loop; 0: of none.
  void select(const std::array<uint64_t, 3> &GlobalId, uint32_t InLoop);

  /// The value of node \p Index, modulo 2^width. None if it is not known, or
  /// may be poison.
  std::optional<uint64_t> value(uint32_t Index);
  /// True or false if condition \p Where surely is; else none.
  std::optional<bool> holds(uint32_t Where);

  /// Nodes and conditions that may still be evaluated.
  int64_t Budget = INT64_MAX;

private:
  std::optional<uint64_t> evaluate(const Node &N);
  std::optional<uint64_t> evaluateLeaf(const Node &N) const;
  std::optional<uint64_t> evaluateBinary(const Node &N);
  std::optional<uint64_t> evaluateSelect(const Node &N);
  std::optional<bool> compare(const Condition &C);
  bool isFirstIteration(uint32_t Loop) const;

  struct Cached {
    uint32_t Round = 0; ///< of select()
    bool IsKnown = false;
    uint64_t Value = 0;
  };
  const Claims &Kernel;
  const LaunchValues &Launch;
  std::array<uint64_t, 3> GlobalId = {};
  uint32_t InLoop = 0;
  uint32_t Round = 0;
  std::vector<Cached> Nodes;
};

/// The accesses of \p Races that work-items of \p Launch surely perform in
/// global memory of an argument, and in bounds. areUniform() must be true of
/// the launch. A budget limits the time to about 2 ms.
std::vector<CertainAccess> certainAccesses(const Claims &Kernel,
                                           const RaceClaims &Races,
                                           const LaunchValues &Launch);

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_CERTAIN_ACCESSES_H
