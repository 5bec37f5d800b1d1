//===- proof/loop_dependence.h - the loops that values depend on ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_LOOP_DEPENDENCE_H
#define WARPSAN_PROOF_LOOP_DEPENDENCE_H

#include "proof/expression.h"

#include <cstdint>
#include <vector>

namespace warpsan {

/// The loops that each node and condition of a kernel depends on. Sets of loops
/// are bit masks.
class LoopDependence {
public:
  static constexpr size_t MaxLoops = 64;

  struct Loops {
    uint64_t All = 0; ///< loops whose iterations change the value
    /// Loops in whose iteration number the value is not affine.
    uint64_t NonAffine = 0;
    bool Varies = false; ///< it is not one number per launch

    Loops &operator|=(const Loops &More);
  };

  /// \p Kernel must have at most MaxLoops loops.
  explicit LoopDependence(const Claims &Kernel);

  const Loops &node(uint32_t Index) const { return ByNode[Index]; }
  /// Dependence of the condition and all of its outer conditions.
  const Loops &chain(uint32_t Condition) const { return ByChain[Condition]; }
  /// Dependence of the loop's trip count.
  Loops tripCount(uint32_t LoopIndex) const;
  /// \p Some, and all loops that their trip counts depend on.
  uint64_t withTripCounts(uint64_t Some) const;

private:
  Loops make(const Node &N) const;

  const Claims &Kernel;
  std::vector<Loops> ByNode, ByChain;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_LOOP_DEPENDENCE_H
