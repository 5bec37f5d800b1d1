//===- proof/walk.h - all nodes of a calculation --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_WALK_H
#define WARPSAN_PROOF_WALK_H

#include "proof/expression.h"

namespace warpsan {

/// True if \p Is is, called with index and node, for one of \p From or of what
/// they are calculated with. Each is looked at once at most.
template <typename F>
bool anyBelow(const std::vector<Node> &Nodes, std::vector<uint32_t> From,
              F Is) {
  std::vector<bool> Seen(Nodes.size());
  while (!From.empty()) {
    const uint32_t Index = From.back();
    From.pop_back();
    if (Seen[Index])
      continue;
    Seen[Index] = true;
    const Node &N = Nodes[Index];
    if (Is(Index, N))
      return true;
    const unsigned Operands = operandsOf(N.What);
    if (Operands > 0)
      From.push_back(N.A);
    if (Operands > 1)
      From.push_back(N.B);
  }
  return false;
}

} // namespace warpsan

#endif // WARPSAN_PROOF_WALK_H
