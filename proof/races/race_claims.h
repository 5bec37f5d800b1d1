//===- proof/races/race_claims.h - accesses that may race -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler writes these records into the manifest, beside the Claims whose
// nodes, conditions and loops they refer to. A launch proves from them that no
// two accesses race (proof/races/races.h).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_RACE_CLAIMS_H
#define WARPSAN_PROOF_RACES_RACE_CLAIMS_H

#include "proof/expression.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

/// A way from a barrier, or from the kernel's start, to an access, on which no
/// other barrier orders the access's memory.
struct RaceArrival {
  /// The iteration of a loop at the access, by that at the barrier.
  enum Iteration : uint8_t {
    Unrelated,
    Same,   ///< the same iteration of one execution of the loop
    Next,   ///< the next one
    First,  ///< the first one of a later execution of the loop
    Second, ///< the second one of a later execution
    LastIteration = Second,
  };

  uint32_t Barrier = 0; ///< 0: the kernel's start
  /// By loop in RaceClaims::Loops of the access's memory.
  std::vector<uint8_t> Iterations;

  auto operator<=>(const RaceArrival &) const = default;
};

/// An access to memory that work-items share.
struct RaceAccess {
  uint32_t Site = 0;     ///< index of the access in the kernel
  uint32_t Where = 0;    ///< condition
  uint32_t Offset = 0;   ///< node, 64 bits: bytes from the start of its memory
  uint64_t Bytes = 0;    ///< not 0
  int32_t Arg = -1;      ///< the argument that points to its memory, or -1:
  uint32_t Variable = 0; ///< which variable of the kernel or program
  bool IsLocal = false;  ///< in local memory; else global or constant
  bool Writes = false;
  /// It is atomic to work-items of its work-group, and to those of others.
  bool AtomicInGroup = false, AtomicOfGroups = false;
  /// It stores the same bytes whenever it is executed: it does not race with
  /// itself.
  bool StoresConstant = false;
  /// 1 + a condition: a work-item for which it holds surely executes the
  /// access, in the first iteration of every loop around it. Counters of these
  /// loops are meant as of that iteration. 0: nothing is known.
  uint32_t Certain = 0;
  uint32_t InLoop = 0; ///< 1 + the innermost loop around it, or 0
  std::vector<RaceArrival> Arrivals;

  /// All that is true or false, as the manifest has it.
  unsigned flags() const {
    return IsLocal | Writes << 1 | AtomicInGroup << 2 | AtomicOfGroups << 3 |
           StoresConstant << 4;
  }
  void setFlags(unsigned Bits) {
    IsLocal = Bits & 1;
    Writes = Bits & 2;
    AtomicInGroup = Bits & 4;
    AtomicOfGroups = Bits & 8;
    StoresConstant = Bits & 16;
  }
};

/// All accesses of one kernel to memory that work-items share.
struct RaceClaims {
  /// Why they are not all in Accesses, so that nothing can be proven; empty:
  /// they are.
  std::string WhyNot;
  std::vector<RaceAccess> Accesses;
  /// The loops with barriers that order local memory, and global memory: all
  /// work-items of a work-group are in the same iteration of each when they
  /// reach such a barrier in it.
  std::array<std::vector<uint32_t>, 2> Loops;

  const std::vector<uint32_t> &loopsOf(const RaceAccess &A) const {
    return Loops[A.IsLocal ? 0 : 1];
  }
};

/// Why \p Races, which refer to the valid \p C, are malformed, or null.
const char *invalidReason(const RaceClaims &Races, const Claims &C);

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_RACE_CLAIMS_H
