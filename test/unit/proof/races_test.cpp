//===- test/unit/proof/races_test.cpp - proofs that no two accesses race
//--------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/races.h"
#include "test/unit/proof_kernel.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

using Op = Node::Op;
using Kind = Condition::Predicate;
using Arrival = RaceArrival;

/// A kernel whose accesses are to argument 0, in global memory, if nothing else
/// is said.
struct Kernel : ProofKernel {
  RaceClaims Races;
  std::vector<ArgPlace> Places;

  Kernel(uint64_t Global, uint64_t Local) {
    Launch.Global[0] = Global;
    Launch.Local[0] = Local;
    Launch.MaxLocal = 1024;
    for (uint64_t I = 0; I < Args.size(); ++I) {
      Places.push_back({I + 1, 0});
      Args[I].Size = uint64_t(1) << 40;
    }
  }

  uint32_t wide(int64_t N) { return number(N, 64); }
  uint32_t global(uint32_t D = 0) { return node(Op::global_id, 64, D); }
  uint32_t local(uint32_t D = 0) { return node(Op::local_id, 64, D); }
  uint32_t plus(uint32_t A, int64_t N) { return two(Op::add, A, wide(N)); }
  uint32_t times(uint32_t A, int64_t N) { return two(Op::mul, A, wide(N)); }

  RaceAccess &access(uint32_t Offset, uint64_t Bytes, bool Writes,
                     uint32_t Where = 0) {
    RaceAccess A;
    A.Site = static_cast<uint32_t>(Races.Accesses.size());
    A.Where = Where;
    A.Offset = Offset;
    A.Bytes = Bytes;
    A.Arg = 0;
    A.Writes = Writes;
    A.Arrivals = {Arrival()};
    Races.Accesses.push_back(A);
    return Races.Accesses.back();
  }
  RaceAccess &write(uint32_t Offset, uint64_t Bytes = 1, uint32_t Where = 0) {
    return access(Offset, Bytes, true, Where);
  }
  RaceAccess &read(uint32_t Offset, uint64_t Bytes = 1, uint32_t Where = 0) {
    return access(Offset, Bytes, false, Where);
  }
  void inLocalMemory() {
    for (RaceAccess &A : Races.Accesses)
      A.IsLocal = true;
  }

  /// How many pairs may race.
  size_t possible() {
    EXPECT_EQ(invalidReason(C), nullptr);
    EXPECT_EQ(invalidReason(Races, C), nullptr);
    for (size_t I = 0; I < Args.size(); ++I)
      Args[I].Bytes = Bytes[I];
    Launch.Args = Args;
    return possibleRaces(C, Races, Launch, Places).size();
  }
  bool isRaceFree() { return possible() == 0; }
};

TEST(Races, AnElementOfItsOwn) {
  Kernel K(128, 64);
  K.write(K.times(K.global(), 4), 4);
  EXPECT_TRUE(K.isRaceFree());
  K.Races.Accesses[0].Bytes = 5;
  EXPECT_EQ(K.possible(), 2U);
  // The driver may choose any work-group.
  K.Launch.Local[0] = 0;
  EXPECT_FALSE(K.isRaceFree());
  K.Races.Accesses[0].Bytes = 4;
  EXPECT_TRUE(K.isRaceFree());

  Kernel Half(128, 64);
  Half.write(Half.two(Op::udiv, Half.global(), Half.wide(2)));
  EXPECT_FALSE(Half.isRaceFree());
}

TEST(Races, OfTheGroupOnly) {
  Kernel K(128, 64);
  K.write(K.local());
  EXPECT_EQ(K.possible(), 1U);
  EXPECT_TRUE(possibleRaces(K.C, K.Races, K.Launch, K.Places)[0].BetweenGroups);
  K.inLocalMemory();
  EXPECT_TRUE(K.isRaceFree());
  K.Launch.Local[0] = 0;
  EXPECT_TRUE(K.isRaceFree());

  Kernel One(64, 64);
  One.write(One.local());
  EXPECT_TRUE(One.isRaceFree());
  One.Launch.Local[0] = 0;
  EXPECT_FALSE(One.isRaceFree());

  Kernel Same(128, 64);
  Same.write(Same.node(Op::group_id, 64));
  EXPECT_EQ(Same.possible(), 1U);
}

TEST(Races, RowsOfAGrid) {
  for (const int64_t Width : {99, 100, 101}) {
    Kernel K(100, 10);
    K.Launch.Global[1] = 50;
    K.Launch.Local[1] = 5;
    K.write(K.two(Op::add, K.times(K.global(1), Width), K.global(0)));
    EXPECT_EQ(K.isRaceFree(), Width >= 100) << Width;
  }
}

/// Each work-item writes every 128th byte.
TEST(Races, AStrideOfTheGrid) {
  for (const int64_t Step : {127, 128}) {
    Kernel K(128, 64);
    const uint32_t I = K.counter(K.global(), K.wide(Step));
    const uint32_t In = K.when(Kind::SLT, I, K.wide(1000));
    K.loop(0, K.when(Kind::SLT, K.plus(I, Step), K.wide(1000), 0, 1));
    K.write(I, 1, In);
    EXPECT_EQ(K.isRaceFree(), Step == 128) << Step;
  }
}

TEST(Races, OddAndEven) {
  for (const int64_t Odd : {1, 2}) {
    Kernel K(128, 64);
    K.write(K.times(K.global(), 2));
    K.read(K.plus(K.times(K.global(), 2), Odd));
    EXPECT_EQ(K.isRaceFree(), Odd == 1);
  }
}

TEST(Races, WithinTheRow) {
  for (const uint64_t Columns : {7, 8}) {
    Kernel K(64, 64);
    K.Launch.Global[1] = K.Launch.Local[1] = Columns;
    // Column 0 of any row, and columns 1 and more of another.
    K.write(K.times(K.local(), 8), 1,
            K.when(Kind::Equal, K.local(1), K.wide(0)));
    K.read(K.two(Op::add, K.plus(K.times(K.local(), 16), 1), K.local(1)));
    EXPECT_EQ(K.isRaceFree(), Columns == 7);
  }
}

TEST(Races, OneWorkItemOfTheGroup) {
  for (const int64_t Last : {0, 1}) {
    Kernel K(128, 64);
    K.write(K.wide(0), 1, K.when(Kind::ULT, K.local(), K.wide(Last + 1)));
    EXPECT_FALSE(K.isRaceFree());
    K.inLocalMemory();
    EXPECT_EQ(K.isRaceFree(), Last == 0);
  }
  for (const int64_t Last : {0, 1}) {
    Kernel K(128, 64);
    K.write(K.wide(0), 1, K.when(Kind::ULT, K.global(), K.wide(Last + 1)));
    EXPECT_EQ(K.isRaceFree(), Last == 0);
  }
}

TEST(Races, GuardsKeepApart) {
  for (const int64_t Readers : {32, 33}) {
    Kernel K(64, 64);
    K.write(K.local(), 1, K.when(Kind::ULT, K.local(), K.wide(32)));
    K.read(K.plus(K.local(), 31), 1,
           Readers == 32 ? K.when(Kind::ULT, K.wide(0), K.local()) : 0);
    EXPECT_EQ(K.isRaceFree(), Readers == 32);
  }
  // No work-item does both.
  for (const Kind Other : {Kind::SLE, Kind::SLT}) {
    Kernel K(64, 64);
    const uint32_t N = K.argument(1, 7);
    K.write(K.wide(0), 1,
            K.when(Kind::Equal, K.id(), K.number(3, 32),
                   K.when(Kind::SLT, N, K.number(7, 32))));
    K.read(K.wide(0), 1, K.when(Other, N, K.number(7, 32)));
    EXPECT_EQ(K.isRaceFree(), true);
    K.Bytes[1].assign("\6\0\0\0", 4);
    EXPECT_FALSE(K.isRaceFree());
  }
}

TEST(Races, ABarrierBetween) {
  Kernel K(128, 64);
  K.write(K.local());
  K.read(K.two(Op::sub, K.wide(63), K.local()));
  K.inLocalMemory();
  EXPECT_FALSE(K.isRaceFree());
  K.Races.Accesses[1].Arrivals = {{1, {}}};
  EXPECT_TRUE(K.isRaceFree());
  // There is a way around it.
  K.Races.Accesses[1].Arrivals.push_back({0, {}});
  EXPECT_FALSE(K.isRaceFree());
  // Of an access that nothing arrives at nothing is known.
  K.Races.Accesses[1].Arrivals.clear();
  EXPECT_FALSE(K.isRaceFree());
  // It orders no other work-groups.
  K.Races.Accesses[1].Arrivals = {{1, {}}};
  for (RaceAccess &A : K.Races.Accesses)
    A.IsLocal = false;
  EXPECT_EQ(K.possible(), 2U);
}

/// for (r = 0; r < 10; ++r) { barrier; write row r; read row r + 1; }
TEST(Races, InTheSameIteration) {
  auto Possible = [](uint8_t Writes, uint8_t Reads) {
    Kernel K(64, 64);
    const uint32_t R = K.counter(K.wide(0), K.wide(1));
    K.loop(0, K.when(Kind::SLT, K.plus(R, 1), K.wide(10), 0, 1));
    const uint32_t Row = K.times(R, 64);
    K.write(K.two(Op::add, Row, K.local())).Arrivals = {{1, {Writes}}};
    K.read(K.two(Op::sub, K.plus(Row, 64 + 63), K.local())).Arrivals = {
        {1, {Reads}}};
    K.Races.Loops[0] = {0};
    K.inLocalMemory();
    return !K.isRaceFree();
  };
  EXPECT_FALSE(Possible(Arrival::Same, Arrival::Same));
  EXPECT_FALSE(Possible(Arrival::Next, Arrival::Next));
  EXPECT_FALSE(Possible(Arrival::Same, Arrival::Next));
  EXPECT_FALSE(Possible(Arrival::First, Arrival::First));
  EXPECT_TRUE(Possible(Arrival::Next, Arrival::Same));
  EXPECT_TRUE(Possible(Arrival::Second, Arrival::First));
  EXPECT_TRUE(Possible(Arrival::Unrelated, Arrival::Same));
  EXPECT_TRUE(Possible(Arrival::Unrelated, Arrival::Unrelated));
  EXPECT_TRUE(Possible(Arrival::First, Arrival::Same));
}

TEST(Races, ArgumentsToOneBuffer) {
  Kernel K(128, 64);
  K.write(K.global());
  K.read(K.plus(K.global(), 1)).Arg = 1;
  EXPECT_TRUE(K.isRaceFree());
  K.Places[1] = K.Places[0];
  EXPECT_FALSE(K.isRaceFree());
  // Its parts: apart, then as the accesses are, then overlapping by a byte.
  K.Args[0].Size = 128;
  K.Places[1].First = 128;
  EXPECT_TRUE(K.isRaceFree());
  K.Places[0].First = 1;
  K.Places[1].First = 0;
  EXPECT_TRUE(K.isRaceFree());
  K.Places[0].First = 0;
  K.Places[1].First = 126;
  EXPECT_FALSE(K.isRaceFree());
  // Nothing is known of it; or nobody writes.
  K.Places[1] = {};
  EXPECT_FALSE(K.isRaceFree());
  K.Races.Accesses[0].Writes = false;
  EXPECT_TRUE(K.isRaceFree());
  // A pointer to nobody knows what has no size either.
  K.Races.Accesses[0].Writes = true;
  K.Args[1].Size = 0;
  EXPECT_FALSE(K.isRaceFree());
  // There is nothing to access.
  K.Places[1] = {7, 0};
  EXPECT_TRUE(K.isRaceFree());
  // There is no such argument.
  K.Races.Accesses[1].Arg = 9;
  EXPECT_FALSE(K.isRaceFree());
}

TEST(Races, Variables) {
  Kernel K(128, 64);
  RaceAccess &W = K.write(K.wide(0));
  W.Arg = -1;
  W.Variable = 5;
  W.AtomicInGroup = W.AtomicOfGroups = true;
  RaceAccess &R = K.read(K.wide(0));
  R.Arg = -1;
  R.Variable = 6;
  EXPECT_TRUE(K.isRaceFree());
  K.Races.Accesses[1].Variable = 5;
  EXPECT_FALSE(K.isRaceFree());
}

TEST(Races, Atomics) {
  Kernel K(128, 64);
  K.write(K.wide(0)).AtomicInGroup = true;
  EXPECT_EQ(K.possible(), 1U); // for other work-groups it is a plain write
  K.Races.Accesses[0].AtomicOfGroups = true;
  EXPECT_TRUE(K.isRaceFree());
  K.read(K.wide(0));
  EXPECT_EQ(K.possible(), 2U);
}

TEST(Races, AConstantByOneStatement) {
  Kernel K(128, 64);
  K.write(K.wide(0)).StoresConstant = true;
  EXPECT_TRUE(K.isRaceFree());
  K.Races.Accesses.push_back(K.Races.Accesses[0]);
  EXPECT_FALSE(K.isRaceFree());
}

TEST(Races, AnIndexThatWraps) {
  for (const int Bits : {28, 30}) {
    Kernel K(8, 8);
    const uint32_t Index =
        K.two(Op::shl, K.id(), K.number(Bits, 32)); // of 32 bits
    K.write(K.node(Op::zext, 64, Index));
    EXPECT_EQ(K.isRaceFree(), Bits == 28);
  }
  // By signed overflow the index is anything.
  for (const int32_t Add : {100, INT32_MAX}) {
    Kernel K(8, 8);
    const uint32_t Sum = K.two(Op::add, K.id(), K.argument(1, Add));
    K.C.Nodes[Sum].Flags = Node::NoSignedWrap;
    K.write(K.node(Op::sext, 64, Sum));
    EXPECT_EQ(K.isRaceFree(), Add == 100);
  }
}

TEST(Races, WhatIsLoadedMayDiffer) {
  Kernel K(128, 64);
  const uint32_t Any = K.node(Op::zext, 64, K.node(Op::opaque, 8));
  K.write(K.two(Op::add, K.times(K.global(), 256), Any));
  EXPECT_TRUE(K.isRaceFree());
  K.write(Any);
  EXPECT_FALSE(K.isRaceFree());
  // A condition on it is one on the work-item's own.
  Kernel Guarded(64, 64);
  const uint32_t Flag = Guarded.node(Op::opaque, 32);
  Guarded.write(Guarded.wide(0), 1,
                Guarded.when(Kind::Equal, Flag, Guarded.number(3, 32)));
  EXPECT_FALSE(Guarded.isRaceFree());
}

TEST(Races, TheLastWorkGroupIsSmaller) {
  Kernel K(100, 64);
  K.write(K.times(K.global(), 4), 4);
  EXPECT_TRUE(K.isRaceFree());
  // 0 .. 63 and 36 .. 71.
  Kernel Size(100, 64);
  Size.write(Size.two(Op::add,
                      Size.two(Op::mul, Size.node(Op::group_id, 64),
                               Size.node(Op::local_size, 64)),
                      Size.local()));
  EXPECT_FALSE(Size.isRaceFree());
  Size.Launch.Global[0] = 128;
  EXPECT_TRUE(Size.isRaceFree());
}

TEST(Races, ClaimsMustRefer) {
  Kernel K(128, 64);
  K.write(K.global());
  const RaceClaims Right = K.Races;
  auto IsWrong = [&](auto Change) {
    K.Races = Right;
    Change(K.Races, K.Races.Accesses[0]);
    return invalidReason(K.Races, K.C) != nullptr;
  };
  EXPECT_FALSE(IsWrong([](auto &, auto &) {}));
  EXPECT_TRUE(IsWrong([](auto &, RaceAccess &A) { A.Where = 9; }));
  EXPECT_TRUE(IsWrong([](auto &, RaceAccess &A) { A.Offset = 9; }));
  EXPECT_TRUE(IsWrong([](auto &, RaceAccess &A) { A.Bytes = 0; }));
  EXPECT_TRUE(IsWrong([](RaceClaims &R, auto &) { R.Loops[1] = {0}; }));
  EXPECT_TRUE(
      IsWrong([](auto &, RaceAccess &A) { A.Arrivals[0].Iterations = {0}; }));
  K.C.Nodes[0].Value = 1; // the other work-item's
  EXPECT_NE(invalidReason(K.C), nullptr);
}

} // namespace
