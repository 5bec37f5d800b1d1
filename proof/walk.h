//===- proof/walk.h - visits the nodes of an expression -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_WALK_H
#define WARPSAN_PROOF_WALK_H

#include "proof/expression.h"

namespace warpsan {

/// True if \p Pred(index, node) is true for a node in \p From or one that they
/// are computed from. Conditions of selects are included. Visits each node at
/// most once.
template <typename F>
bool anyBelow(const Claims &Kernel, std::vector<uint32_t> From, F Pred) {
  const std::vector<Node> &Nodes = Kernel.Nodes;
  std::vector<bool> Seen(Nodes.size()),
      SeenConditions(Kernel.Conditions.size());
  while (!From.empty()) {
    const uint32_t Index = From.back();
    From.pop_back();
    if (Seen[Index])
      continue;
    Seen[Index] = true;
    const Node &N = Nodes[Index];
    if (Pred(Index, N))
      return true;
    const unsigned Operands = operandsOf(N.Opcode);
    if (Operands > 0)
      From.push_back(N.A);
    if (Operands > 1)
      From.push_back(N.B);
    if (N.Opcode == Node::Op::select)
      for (uint32_t Where : {N.conditionOfA(), N.conditionOfB()})
        for (uint32_t At = Where; At && !SeenConditions[At];
             At = Kernel.Conditions[At].Outer) {
          SeenConditions[At] = true;
          From.push_back(Kernel.Conditions[At].A);
          From.push_back(Kernel.Conditions[At].B);
        }
  }
  return false;
}

} // namespace warpsan

#endif // WARPSAN_PROOF_WALK_H
