//===- proof/mentions.h - which loops a calculation is about --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_MENTIONS_H
#define WARPSAN_PROOF_MENTIONS_H

#include "proof/expression.h"

#include <cstdint>
#include <vector>

namespace warpsan {

/// Of a kernel with a few loops. Loops are bits.
class Mentions {
public:
  static constexpr size_t MostLoops = 64;

  struct Loops {
    uint64_t All = 0; ///< whose rounds change it
    /// Those in which it is no sum of multiples of rounds.
    uint64_t Bent = 0;
    bool Varies = false; ///< a launch does not have one value of it

    Loops &operator|=(const Loops &More);
  };

  /// \p Of has at most MostLoops.
  explicit Mentions(const Claims &Of);

  const Loops &node(uint32_t Index) const { return ByNode[Index]; }
  /// Of the condition and all outer ones.
  const Loops &chain(uint32_t Condition) const { return ByChain[Condition]; }
  /// Of how often a loop comes round.
  Loops rounds(uint32_t LoopIndex) const;
  /// \p Some, and all that how often they come round is about.
  uint64_t withRounds(uint64_t Some) const;

private:
  Loops make(const Node &N) const;

  const Claims &Of;
  std::vector<Loops> ByNode, ByChain;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_MENTIONS_H
