//===- test/unit/proof/certain_accesses_test.cpp - what a launch surely
// accesses ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/certain_accesses.h"
#include "test/unit/proof/proof_random.h"
#include "test/unit/proof_kernel.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

using Op = Node::Op;
using Kind = Condition::Predicate;
using Ranges = std::vector<ByteRange>;

struct Kernel : ProofKernel {
  RaceClaims Races;

  explicit Kernel(uint64_t Global, uint64_t Local = 0) {
    Launch.Global[0] = Global;
    Launch.Local[0] = Local;
    for (LaunchValues::Arg &Each : Args)
      Each.Size = uint64_t(1) << 40;
  }
  uint32_t wide(int64_t N) { return number(N, 64); }
  uint32_t global(uint32_t D = 0) { return node(Op::global_id, 64, D); }
  uint32_t times(uint32_t A, int64_t N) { return two(Op::mul, A, wide(N)); }

  RaceAccess &write(uint32_t Offset, uint64_t Bytes, uint32_t Where = 0) {
    RaceAccess A;
    A.Offset = Offset;
    A.Bytes = Bytes;
    A.Arg = 0;
    A.Writes = true;
    A.Certain = 1 + Where;
    Races.Accesses.push_back(A);
    return Races.Accesses.back();
  }
  /// Of the first access.
  Ranges certain() {
    EXPECT_EQ(invalidReason(C), nullptr);
    EXPECT_EQ(invalidReason(Races, C), nullptr);
    for (size_t I = 0; I < Args.size(); ++I)
      Args[I].Bytes = Bytes[I];
    Launch.Args = Args;
    const auto Found = certainAccesses(C, Races, Launch);
    return Found.empty() ? Ranges() : Found[0].Ranges;
  }
};

TEST(CertainAccesses, AnElementForEachWorkItem) {
  Kernel K(100);
  K.write(K.times(K.global(), 4), 4);
  EXPECT_EQ(K.certain(), (Ranges{{0, 400}}));
  K.Launch.Offset[0] = 10;
  EXPECT_EQ(K.certain(), (Ranges{{40, 440}}));
  K.Races.Accesses[0].Bytes = 3;
  EXPECT_EQ(K.certain().size(), 64U);
}

TEST(CertainAccesses, TheEndsOfALargeRange) {
  Kernel K(1 << 20);
  K.write(K.times(K.global(), 4), 4);
  const Ranges Found = K.certain();
  ASSERT_EQ(Found.size(), 3U);
  EXPECT_EQ(Found[0], (ByteRange{0, 4096}));
  EXPECT_EQ(Found[2], (ByteRange{(1 << 22) - 4096, 1 << 22}));
}

TEST(CertainAccesses, Rows) {
  Kernel K(16);
  K.Launch.Global[1] = 8;
  K.write(K.two(Op::add, K.times(K.global(1), 1000), K.global()), 1);
  EXPECT_EQ(K.certain(), (Ranges{{0, 16}, {3000, 3016}, {7000, 7016}}));
}

TEST(CertainAccesses, OnlyWhereTheConditionHolds) {
  Kernel K(100);
  const uint32_t Where = K.when(Kind::SLT, K.id(), K.argument(1, 30));
  K.write(K.times(K.global(), 4), 4, Where);
  EXPECT_EQ(K.certain(), (Ranges{{0, 120}}));
  K.argument(1, -1);
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, WhatIsNotMeantToBeCertain) {
  Kernel K(100);
  K.write(K.global(), 1).Certain = 0;
  EXPECT_EQ(K.certain(), Ranges());
  K.Races.Accesses[0].Certain = 1;
  EXPECT_EQ(K.certain(), (Ranges{{0, 100}}));
  K.Races.Accesses[0].IsLocal = true;
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, WhatIsOutOfBoundsIsLeftOut) {
  Kernel K(100);
  K.write(K.times(K.global(), 4), 4);
  K.Args[0].Size = 42;
  EXPECT_EQ(K.certain(), (Ranges{{0, 40}}));
  K.Args[0].Writable = false;
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, WhatDependsOnMemory) {
  Kernel K(100);
  const uint32_t Any = K.node(Op::opaque, 64);
  K.write(K.two(Op::bit_and, Any, K.wide(0)), 1);
  EXPECT_EQ(K.certain(), Ranges());
  Kernel If(100);
  const uint32_t Where = If.when(Kind::Equal, If.node(Op::opaque, 64), 0);
  If.write(If.wide(0), 1, Where);
  EXPECT_EQ(If.certain(), Ranges());
}

TEST(CertainAccesses, Overflow) {
  Kernel K(4);
  const uint32_t Sum = K.two(Op::add, K.id(), K.argument(1, INT32_MAX - 1));
  K.C.Nodes[Sum].Flags = Node::NoSignedWrap;
  K.write(K.node(Op::zext, 64, Sum), 1);
  EXPECT_EQ(K.certain(), (Ranges{{INT32_MAX - 1, INT32_MAX + int64_t(1)}}));
  K.C.Nodes[Sum].Flags = 0;
  EXPECT_EQ(K.certain(), (Ranges{{INT32_MAX - 1, INT32_MAX + int64_t(3)}}));
}

TEST(CertainAccesses, TheFirstIteration) {
  Kernel K(4);
  const uint32_t I = K.counter(K.wide(8), K.wide(1));
  K.loop(0, 0);
  K.write(K.two(Op::add, I, K.times(K.global(), 16)), 1);
  EXPECT_EQ(K.certain(), Ranges()); // after the loop
  K.Races.Accesses[0].InLoop = 1;
  EXPECT_EQ(K.certain(), (Ranges{{8, 9}, {24, 25}, {40, 41}, {56, 57}}));
}

TEST(CertainAccesses, TheFirstIterationOfLoopsAround) {
  Kernel K(1);
  const uint32_t I = K.counter(K.wide(8), K.wide(1), 0);
  K.loop(0, 0);
  K.loop(0, 0, 1);
  K.loop(0, 0);
  K.write(I, 1).InLoop = 2;
  EXPECT_EQ(K.certain(), (Ranges{{8, 9}}));
  K.Races.Accesses[0].InLoop = 3;
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, OneOfTwoValues) {
  Kernel K(10);
  const uint32_t Few = K.when(Kind::ULT, K.global(), K.wide(3));
  const uint32_t Many = K.when(Kind::ULE, K.wide(3), K.global());
  const uint32_t A = K.wide(100), B = K.wide(200);
  K.C.Nodes.push_back({Op::select, 64, A, B, Node::conditions(Few, Many)});
  const auto Either = static_cast<uint32_t>(K.C.Nodes.size() - 1);
  K.write(Either, 1);
  EXPECT_EQ(K.certain(), (Ranges{{100, 101}, {200, 201}}));
  // Conditions may be incomplete: both may hold.
  K.C.Nodes[Either].Value = Node::conditions(Few, 0);
  EXPECT_EQ(K.certain(), (Ranges{{200, 201}}));
  K.C.Nodes[Either] = {Op::phi, 64, A, B};
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, WorkGroups) {
  Kernel K(64, 16);
  K.write(K.two(Op::add, K.node(Op::local_id, 64),
                K.times(K.node(Op::group_id, 64), 1000)),
          1);
  EXPECT_EQ(K.certain(),
            (Ranges{{0, 16}, {1000, 1016}, {2000, 2016}, {3000, 3016}}));
  K.Launch.Local[0] = 0; // the driver chooses
  EXPECT_EQ(K.certain(), Ranges());
}

TEST(CertainAccesses, DivisionsThatAreNotDefined) {
  for (const Op Opcode : {Op::udiv, Op::urem, Op::sdiv, Op::srem}) {
    Kernel K(4);
    K.write(K.two(Opcode, K.wide(8), K.global()), 1);
    for (const ByteRange &Each : K.certain())
      EXPECT_LE(Each.Last, 9U) << nameOf(Opcode);
    EXPECT_FALSE(K.certain().empty());
    Kernel Shift(128);
    Shift.write(Shift.two(Op::lshr, Shift.wide(1), Shift.global()), 1);
    EXPECT_EQ(Shift.certain(), (Ranges{{0, 2}}));
  }
}

TEST(CertainAccesses, AreOnesThatClaimsAllow) {
  // What is proven to be out of reach is never reached.
  Kernel K(300);
  const uint32_t Where = K.when(Kind::SLT, K.id(), K.argument(1, 77));
  K.write(K.times(K.global(), 4), 4, Where);
  K.C.All.push_back({0, Where, K.Races.Accesses[0].Offset, 4, 0});
  const Ranges Found = K.certain();
  ASSERT_FALSE(Found.empty());
  K.Args[0].Size = 77 * 4;
  K.Launch.Args = K.Args;
  EXPECT_TRUE(prove(K.C, K.C.All, K.Launch)[0].Holds);
  EXPECT_EQ(Found.back().Last, 77U * 4);
}

TEST(CertainAccesses, ValuesOfRandomKernels) {
  using random_kernels::Machine;
  using random_kernels::Random;
  size_t Compared = 0;
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    Random R(Seed);
    R.make();
    ASSERT_EQ(invalidReason(R.C), nullptr);
    ItemValues Values(R.C, R.Launch);
    const auto Global = R.Launch.Global, Local = R.Launch.Local;
    std::array<uint64_t, 2> LocalSize = {}, Groups = {};
    for (int D = 0; D < 2; ++D) {
      LocalSize[D] = Local[D] ? Local[D] : Global[D];
      Groups[D] = (Global[D] + LocalSize[D] - 1) / LocalSize[D];
    }
    for (uint64_t Y = 0; Y < Global[1]; ++Y)
      for (uint64_t X = 0; X < Global[0]; ++X) {
        std::mt19937 Any(Seed);
        Machine M{R,
                  {X + R.Launch.Offset[0], Y + R.Launch.Offset[1]},
                  {X % LocalSize[0], Y % LocalSize[1]},
                  {X / LocalSize[0], Y / LocalSize[1]},
                  LocalSize,
                  Groups,
                  0,
                  Any,
                  {}};
        M.Known.resize(R.C.Nodes.size());
        Values.select({M.Id[0], M.Id[1], 0}, R.C.Loops.empty() ? 0 : 1);
        for (uint32_t I = 0; I < R.C.Nodes.size(); ++I) {
          const auto Mine = Values.value(I), Theirs = M.value(I);
          if (!Mine || !Theirs)
            continue;
          ++Compared;
          ASSERT_EQ(*Mine, *Theirs)
              << nameOf(R.C.Nodes[I].Opcode) << " of kernel " << Seed;
        }
        // The machine takes a condition that it cannot calculate for false.
        auto Calculates = [&](uint32_t At) {
          for (; At; At = R.C.Conditions[At].Outer)
            if (!M.value(R.C.Conditions[At].A) ||
                !M.value(R.C.Conditions[At].B))
              return false;
          return true;
        };
        for (uint32_t I = 0; I < R.C.Conditions.size(); ++I)
          if (const auto Mine = Values.holds(I); Mine && Calculates(I))
            ASSERT_EQ(*Mine, M.allHold(I)) << Seed;
      }
  }
  EXPECT_GT(Compared, 100'000U);
}

} // namespace
