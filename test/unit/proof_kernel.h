//===- test/unit/proof_kernel.h - claims of a kernel, built by hand -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_UNIT_PROOF_KERNEL_H
#define WARPSAN_TEST_UNIT_PROOF_KERNEL_H

#include "proof/prove.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace warpsan {

/// A kernel, written as the compiler would.
struct ProofKernel {
  using Op = Node::Op;
  using Kind = Condition::Predicate;

  Claims C;
  std::vector<std::string> Bytes = std::vector<std::string>(8);
  std::vector<LaunchValues::Arg> Args = std::vector<LaunchValues::Arg>(8);
  std::vector<std::optional<LaunchValues::Range>> Contents;
  LaunchValues Launch;

  uint32_t node(Op What, unsigned Width, uint32_t A = 0, uint32_t B = 0,
                int64_t Value = 0) {
    const Node N{What, static_cast<uint8_t>(Width), A, B, Value};
    C.Nodes.push_back(N);
    return static_cast<uint32_t>(C.Nodes.size() - 1);
  }
  uint32_t number(int64_t N, unsigned Width) {
    return node(Op::constant, Width, 0, 0, N);
  }
  /// get_global_id, as an int.
  uint32_t id(uint32_t D = 0) {
    return node(Op::trunc, 32, node(Op::global_id, 64, D));
  }
  /// An int argument with this value.
  uint32_t argument(uint32_t Index, int32_t Value) {
    Bytes[Index].assign(reinterpret_cast<const char *>(&Value), 4);
    return node(Op::argument, 32, Index);
  }
  uint32_t two(Op What, uint32_t A, uint32_t B) {
    return node(What, C.Nodes[A].Width, A, B);
  }
  uint32_t when(Kind What, uint32_t A, uint32_t B, uint32_t Outer = 0,
                uint32_t InvariantIn = 0) {
    C.Conditions.push_back({What, Outer, A, B, InvariantIn});
    return static_cast<uint32_t>(C.Conditions.size() - 1);
  }
  /// for (int i = Start; ; i += Step), and what holds in each round.
  uint32_t counter(uint32_t Start, uint32_t Step, uint32_t Loop = 0) {
    return node(Op::counter, C.Nodes[Start].Width, Start, Step, Loop);
  }
  void loop(uint32_t Around, uint32_t Again, uint32_t Inside = 0) {
    C.Loops.push_back({Around, Again, Inside});
  }

  /// Argument 0, an array of floats, is read at an index, an int.
  void read(uint32_t Index, uint32_t Where = 0) {
    const uint32_t Wide = node(Op::sext, 64, Index);
    readAt(two(Op::mul, Wide, number(4, 64)), Where);
  }
  void readAt(uint32_t Offset, uint32_t Where = 0) {
    Claim One;
    One.Site = static_cast<uint32_t>(C.All.size());
    One.Where = Where;
    One.Offset = Offset;
    One.Bytes = 4;
    One.Arg = 0;
    One.Reads = true;
    C.All.push_back(One);
  }
  bool holds(uint64_t Size) {
    EXPECT_EQ(invalidReason(C), nullptr);
    for (size_t I = 0; I < Args.size(); ++I)
      Args[I].Bytes = Bytes[I];
    Args[0].Size = Size;
    Launch.Args = Args;
    Launch.Contents = Contents;
    return std::ranges::all_of(prove(C, C.All, Launch), &Verdict::Holds);
  }
  /// It is so with as many floats, and not with a byte less.
  void expectNeeds(uint64_t Floats) {
    EXPECT_TRUE(holds(Floats * 4));
    EXPECT_FALSE(holds(Floats * 4 - 1));
  }
};

} // namespace warpsan

#endif // WARPSAN_TEST_UNIT_PROOF_KERNEL_H
