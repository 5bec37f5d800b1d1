//===- test/trust/small/case.h - a kernel of a few nodes, and its launch --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_SMALL_CASE_H
#define WARPSAN_TEST_TRUST_SMALL_CASE_H

#include "proof/prove.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trust {

/// The values that a node takes which the launch does not determine: opaque and
/// loaded values, unknown arguments. Of a join, and of a choice that its
/// conditions do not decide: 0 for A, 1 for B.
struct Leaf {
  uint32_t Node = 0;
  std::vector<uint64_t> Values;
  /// 0: one value per work-item; 1 + index of a loop: one per iteration of it.
  uint32_t Scope = 0;
};

/// Claims, and what proof/expression.h leaves to the compiler: where the values
/// that are not calculations of others are made. At most two loops; the second
/// one is in the first or after it.
struct Case {
  warpsan::Claims Kernel;
  std::vector<Leaf> Leaves;

  std::vector<std::string> ArgBytes; ///< by argument; empty: not known
  std::vector<uint64_t> ArgSizes, ArgStarts;
  std::vector<std::optional<warpsan::LaunchValues::Range>> Contents;
  std::array<uint64_t, 3> Offset = {}, Global = {1, 1, 1}, Local = {1, 1, 1};
  uint64_t MaxLocal = 8;

  uint32_t add(warpsan::Node::Op Kind, unsigned Width, uint32_t A = 0,
               uint32_t B = 0, int64_t Value = 0);
  uint32_t constant(int64_t Value, unsigned Width) {
    return add(warpsan::Node::Op::constant, Width, 0, 0, Value);
  }
  /// A node that may be anything, and the leaf that says so.
  uint32_t opaque(unsigned Width, uint32_t Scope = 0);
  uint32_t condition(warpsan::Condition::Predicate Kind, uint32_t Outer,
                     uint32_t A, uint32_t B, uint32_t InvariantIn = 0);
  /// The opposite of condition \p Index, with \p Outer.
  uint32_t opposite(uint32_t Index, uint32_t Outer);
  void claim(uint32_t Offset, uint32_t Where, uint64_t Bytes = 1);

  /// Calls \p Use with the launch as proof/ takes it.
  template <typename F> auto withLaunch(F Use) const {
    std::vector<warpsan::LaunchValues::Arg> Args(ArgBytes.size());
    for (size_t I = 0; I < Args.size(); ++I) {
      Args[I].Bytes = ArgBytes[I];
      Args[I].Size = I < ArgSizes.size() ? ArgSizes[I] : 0;
      Args[I].Start = I < ArgStarts.size() ? ArgStarts[I] : 0;
    }
    warpsan::LaunchValues Launch;
    Launch.Args = Args;
    Launch.Contents = Contents;
    Launch.Offset = Offset;
    Launch.Global = Global;
    Launch.Local = Local;
    Launch.MaxLocal = MaxLocal;
    return Use(Launch);
  }

  /// For people: every node, condition, loop and claim, and the launch.
  std::string text() const;
};

/// All numbers of \p Width bits.
std::vector<uint64_t> allValues(unsigned Width);

} // namespace trust

#endif // WARPSAN_TEST_TRUST_SMALL_CASE_H
