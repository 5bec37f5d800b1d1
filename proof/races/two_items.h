//===- proof/races/two_items.h - the expressions of two work-items --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_RACES_TWO_ITEMS_H
#define WARPSAN_PROOF_RACES_TWO_ITEMS_H

#include "proof/expression.h"

namespace warpsan {

/// The nodes, conditions and loops of a kernel, for a work-item 0 and a
/// work-item 1. Those of work-item 0 keep their indices; those of work-item 1
/// follow. Condition 0 is of both. Values of work-item 1 are never taken for
/// values of work-item 0: even what both load from one address may differ.
class TwoItems {
public:
  explicit TwoItems(const Claims &Of);

  const Claims &claims() const { return Both; }
  uint32_t nodes() const { return Nodes; } ///< of one work-item
  uint32_t loops() const { return Loops; } ///< of one work-item

  // The index of work-item 1's, by that of work-item 0's.
  uint32_t node(uint32_t Index) const { return Index + Nodes; }
  uint32_t loop(uint32_t Index) const { return Index + Loops; }
  uint32_t condition(uint32_t Index) const {
    return Index ? Index + Conditions - 1 : 0;
  }

private:
  uint32_t Nodes, Conditions, Loops;
  Claims Both;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_RACES_TWO_ITEMS_H
