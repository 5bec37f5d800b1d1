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
/// they are calculated with; that includes what decides a choice. Each is
/// looked at once at most.
template <typename F>
bool anyBelow(const Claims &Of, std::vector<uint32_t> From, F Is) {
  const std::vector<Node> &Nodes = Of.Nodes;
  std::vector<bool> Seen(Nodes.size()), SeenConditions(Of.Conditions.size());
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
    if (N.What == Node::Op::choice)
      for (uint32_t Where : {N.conditionOfA(), N.conditionOfB()})
        for (uint32_t At = Where; At && !SeenConditions[At];
             At = Of.Conditions[At].Outer) {
          SeenConditions[At] = true;
          From.push_back(Of.Conditions[At].A);
          From.push_back(Of.Conditions[At].B);
        }
  }
  return false;
}

} // namespace warpsan

#endif // WARPSAN_PROOF_WALK_H
