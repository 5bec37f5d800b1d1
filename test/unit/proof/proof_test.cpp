//===- test/unit/proof/proof_test.cpp - what a launch proves --------------===//
//------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/proof_kernel.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

using Kernel = ProofKernel;
using Op = Node::Op;
using Kind = Condition::Predicate;

TEST(Proof, AnIndexThatIsAnId) {
  Kernel K;
  K.Launch.Global[0] = 100;
  K.Launch.Local[0] = 10;
  K.read(K.id());
  K.expectNeeds(100);
  K.Launch.Offset[0] = 7;
  K.expectNeeds(107);
  K.Launch.Local[0] = 0; // the driver's choice
  K.expectNeeds(107);
  K.Launch.Local[0] = 64; // the last group is smaller
  K.expectNeeds(107);
}

TEST(Proof, AGuardIsTheLimit) {
  Kernel K;
  K.Launch.Global[0] = 128;
  K.Launch.Local[0] = 64;
  const uint32_t I = K.id(), N = K.argument(1, 100);
  K.read(I, K.when(Kind::SLT, I, N));
  K.expectNeeds(100);
}

TEST(Proof, AGuardOnTheWholeIndex) {
  Kernel K; // if (y * w + x < n) a[y * w + x]
  K.Launch.Global = {16, 16, 1};
  K.Launch.Local = {4, 4, 1};
  const uint32_t Index =
      K.two(Op::add, K.two(Op::mul, K.id(1), K.argument(1, 15)), K.id(0));
  K.read(Index, K.when(Kind::SLT, Index, K.argument(2, 201)));
  K.expectNeeds(201);
}

TEST(Proof, AnInnerStencil) {
  Kernel K; // if (0 < x && x < w - 1) a[x - 1], a[x + 1]
  K.Launch.Global[0] = 256;
  K.Launch.Local[0] = 64;
  const uint32_t X = K.id(), W = K.argument(1, 200), One = K.number(1, 32);
  const uint32_t Inside = K.when(Kind::SLT, X, K.two(Op::sub, W, One),
                                 K.when(Kind::SLT, K.number(0, 32), X));
  K.read(K.two(Op::sub, X, One), Inside);
  K.read(K.two(Op::add, X, One), Inside);
  K.expectNeeds(200);
  K.read(K.two(Op::sub, X, K.number(2, 32)), Inside); // -1 at the left end
  EXPECT_FALSE(K.holds(1000));
}

TEST(Proof, ARowOfAMatrix) {
  Kernel K; // for (k = 0; k < n; k++) a[i * n + k]
  K.Launch.Global[0] = 50;
  K.Launch.Local[0] = 10;
  const uint32_t N = K.argument(1, 30);
  const uint32_t Round = K.counter(K.number(0, 32), K.number(1, 32));
  const uint32_t Inside = K.when(Kind::SLT, Round, N);
  K.loop(0, Inside);
  K.read(K.two(Op::add, K.two(Op::mul, K.id(), N), Round), Inside);
  K.expectNeeds(1500);
}

TEST(Proof, ALoopThatIsTestedAtItsEnd) {
  Kernel K; // k = 0; do a[k]; while (++k < n);
  const uint32_t One = K.number(1, 32), N = K.argument(1, 30);
  const uint32_t Round = K.counter(K.number(0, 32), One);
  K.loop(0, K.when(Kind::SLT, K.two(Op::add, Round, One), N));
  K.read(Round);
  K.expectNeeds(30);
}

TEST(Proof, ALoopThatEndsAtEquality) {
  Kernel K; // for (k = 0; k != n; k++) a[k]
  const uint32_t N = K.argument(1, 30);
  const uint32_t Round = K.counter(K.number(0, 32), K.number(1, 32));
  const uint32_t Inside =
      K.when(Kind::NotEqual, Round, N, 0, /*InvariantIn=*/1);
  K.loop(0, Inside);
  K.read(Round, Inside);
  K.expectNeeds(30);
  K.argument(1, -1); // misses it, and goes round
  EXPECT_FALSE(K.holds(4000));
}

/// Two ints of which only this is known: 0 <= Outer < 20, by a loop around.
/// for (i = 0; i < 20; i++) { ...; do a[...]; while (...); }
struct LoopInLoop : Kernel {
  uint32_t Zero = number(0, 32), One = number(1, 32);
  uint32_t Outer = counter(Zero, One, 0);
  uint32_t InOuter = when(Kind::SLT, Outer, number(20, 32));
  LoopInLoop() { loop(0, InOuter); }
};

TEST(Proof, ATriangleThatIsTestedAtTheEndOfItsRounds) {
  LoopInLoop K; // if (0 < i) { j = 0; do a[i - j - 1]; while (++j < i); }
  const uint32_t Guard = K.when(Kind::SLT, K.Zero, K.Outer, K.InOuter);
  const uint32_t J = K.counter(K.Zero, K.One, 1);
  const uint32_t Next = K.two(Op::add, J, K.One);
  K.loop(Guard, K.when(Kind::SLT, Next, K.Outer, Guard, /*InvariantIn=*/2));
  K.read(K.two(Op::sub, K.Outer, Next), Guard);
  K.expectNeeds(19);
}

TEST(Proof, ATriangleThatEndsAtEquality) {
  LoopInLoop K; // if (0 < i) { j = 0; do a[i - j - 1]; while (++j != i); }
  const uint32_t Guard = K.when(Kind::SLT, K.Zero, K.Outer, K.InOuter);
  const uint32_t J = K.counter(K.Zero, K.One, 1);
  const uint32_t Next = K.two(Op::add, J, K.One);
  K.loop(Guard,
         K.when(Kind::NotEqual, Next, K.Outer, Guard, /*InvariantIn=*/2));
  K.read(K.two(Op::sub, K.Outer, Next), Guard);
  K.expectNeeds(19);
}

TEST(Proof, WithoutAGuardALoopThatEndsAtEqualityMayMissIt) {
  LoopInLoop K; // j = 0; do a[j]; while (++j != i); with i = 0, for long
  const uint32_t J = K.counter(K.Zero, K.One, 1);
  const uint32_t Next = K.two(Op::add, J, K.One);
  K.loop(K.InOuter,
         K.when(Kind::NotEqual, Next, K.Outer, K.InOuter, /*InvariantIn=*/2));
  K.read(J, K.InOuter);
  EXPECT_FALSE(K.holds(1 << 20));
}

TEST(Proof, TheFirstRoundComesWhateverIsTestedAtItsEnd) {
  // j = 0; do a[i - j + Plus]; while (++j < i); with i = 0, too: a[Plus]
  for (int Plus : {-1, 0}) {
    LoopInLoop K;
    const uint32_t J = K.counter(K.Zero, K.One, 1);
    const uint32_t Next = K.two(Op::add, J, K.One);
    K.loop(K.InOuter,
           K.when(Kind::SLT, Next, K.Outer, K.InOuter, /*InvariantIn=*/2));
    K.read(K.two(Op::add, K.two(Op::sub, K.Outer, J), K.number(Plus, 32)),
           K.InOuter);
    if (Plus == 0)
      K.expectNeeds(20);
    else
      EXPECT_FALSE(K.holds(4000));
  }
}

TEST(Proof, RoundsThatCountDown) {
  // j = i; do a[j + Plus]; while (--j > 0); with a guard 0 < i, or without
  for (bool Guarded : {true, false})
    for (int Plus : {-1, 0}) {
      LoopInLoop K;
      const uint32_t Around =
          Guarded ? K.when(Kind::SLT, K.Zero, K.Outer, K.InOuter) : K.InOuter;
      const uint32_t J = K.counter(K.Outer, K.number(-1, 32), 1);
      const uint32_t Next = K.two(Op::add, J, K.number(-1, 32));
      K.loop(Around, K.when(Kind::SLT, K.Zero, Next, Around, 2));
      K.read(K.two(Op::add, J, K.number(Plus, 32)), Around);
      if (Guarded || Plus == 0)
        K.expectNeeds(Plus == 0 ? 20 : 19);
      else
        EXPECT_FALSE(K.holds(4000)); // a[-1] where i is 0
    }
}

TEST(Proof, ABoundThatChangesInTheLoopSaysNothingOfTheNextRound) {
  // b = 1 + x % 100; do a[b - j - 1]; while (++j < b); and b may be another
  // each round
  for (bool Steady : {true, false}) {
    Kernel K;
    const uint32_t One = K.number(1, 32);
    const uint32_t B = K.node(Op::opaque, 32, 0, 0, 7);
    const uint32_t Around = K.when(Kind::SLT, B, K.number(100, 32),
                                   K.when(Kind::SLT, K.number(0, 32), B));
    const uint32_t J = K.counter(K.number(0, 32), One);
    const uint32_t Next = K.two(Op::add, J, One);
    K.loop(Around, K.when(Kind::SLT, Next, B, Around, Steady ? 1 : 0));
    K.read(K.two(Op::sub, B, Next), Around);
    if (Steady)
      K.expectNeeds(99);
    else
      EXPECT_FALSE(K.holds(4000));
  }
}

TEST(Proof, CountersThatWrapAroundSayNothingOfTheNextRound) {
  // uchar j = 0; do a[i - k]; while ((j += Step) < 250 - i, ++k); by steps of
  // 100 it goes on for ever.
  for (int64_t Step : {1, 100}) {
    LoopInLoop K;
    const uint32_t Guard =
        K.when(Kind::SLT, K.number(10, 32), K.Outer, K.InOuter);
    const uint32_t By = K.number(Step, 8);
    const uint32_t J = K.counter(K.number(0, 8), By, 1);
    const uint32_t Rounds = K.counter(K.Zero, K.One, 1);
    const uint32_t Limit = K.two(Op::sub, K.number(250, 8),
                                 K.node(Op::trunc, 8, K.Outer)); // 231 to 239
    K.loop(Guard, K.when(Kind::ULT, K.two(Op::add, J, By), Limit, Guard, 2));
    K.read(K.two(Op::add, Rounds, K.Outer), Guard);
    if (Step == 1)
      K.expectNeeds(250); // 249 = i + rounds
    else
      EXPECT_FALSE(K.holds(1 << 20));
  }
}

TEST(Proof, AnOddStepMayPassTheBoundAndWrapAround) {
  // char j = 0; do a[j]; while ((j += 5) <= i + 108); up to 127, all are
  LoopInLoop K;
  const uint32_t By = K.number(5, 8);
  const uint32_t J = K.counter(K.number(0, 8), By, 1);
  const uint32_t Limit =
      K.two(Op::add, K.node(Op::trunc, 8, K.Outer), K.number(108, 8));
  K.loop(K.InOuter, K.when(Kind::SLE, K.two(Op::add, J, By), Limit, K.InOuter,
                           /*InvariantIn=*/2));
  K.read(K.node(Op::sext, 32, J), K.InOuter);
  EXPECT_FALSE(K.holds(4000)); // i = 19: 120, 125, -126
}

TEST(Proof, WhatOneLoopAssumesIsNotKeptForAnother) {
  // for (uchar i = 0, k = 0; i < 250; i += 100, k += 7) {
  //   for (j = 0; j < k; j++) a[j]; if (j > 1000) break; }
  // i wraps around and k grows.
  Kernel K;
  const uint32_t Zero = K.number(0, 32), One = K.number(1, 32);
  const uint32_t I = K.counter(K.number(0, 8), K.number(100, 8), 0);
  const uint32_t Bound = K.counter(Zero, K.number(7, 32), 0);
  const uint32_t InOuter = K.when(Kind::ULT, I, K.number(250, 8), 0, 1);
  const uint32_t J = K.counter(Zero, One, 1);
  const uint32_t InInner = K.when(Kind::SLT, J, Bound, InOuter, 2);
  const uint32_t After = K.when(Kind::SLE, Bound, J, InOuter, 1);
  K.loop(0, K.when(Kind::SLE, J, K.number(1000, 32), After));
  K.loop(InOuter, InInner);
  K.read(K.node(Op::zext, 32, I), InOuter); // the outer loop is asked for first
  K.read(J, InInner);
  EXPECT_FALSE(K.holds(4 * 256));
}

TEST(Proof, AGridStride) {
  Kernel K; // for (i = id; i < n; i += size) a[i]
  K.Launch.Global[0] = 64;
  K.Launch.Local[0] = 8;
  const uint32_t Size = K.node(Op::trunc, 32, K.node(Op::global_size, 64));
  const uint32_t Round = K.counter(K.id(), Size);
  const uint32_t Inside = K.when(Kind::SLT, Round, K.argument(1, 1000));
  K.loop(0, Inside);
  K.read(Round, Inside);
  K.expectNeeds(1000);
}

TEST(Proof, ATreeInLocalMemory) {
  Kernel K; // for (s = L / 2; s > 0; s >>= 1) if (lid < s) a[lid + s]
  K.Launch.Global[0] = 256;
  K.Launch.Local[0] = 64;
  const uint32_t Lid = K.node(Op::trunc, 32, K.node(Op::local_id, 64));
  const uint32_t Size = K.node(Op::trunc, 32, K.node(Op::local_size, 64));
  const uint32_t Two = K.number(2, 32);
  const uint32_t Half =
      K.node(Op::udivided, 32, K.two(Op::udiv, Size, Two), Two, 0);
  const uint32_t Again = K.when(Kind::SLT, K.number(0, 32), Half);
  K.loop(0, Again);
  const uint32_t Inside = K.when(Kind::SLT, Lid, Half, Again);
  K.read(K.two(Op::add, Lid, Half), Inside);
  K.expectNeeds(64);
}

/// A loop of a value that is multiplied or divided, tested at its start.
struct Stride : Kernel {
  uint32_t Zero = number(0, 32), One = number(1, 32), Two = number(2, 32);
  uint32_t step(Op What, uint32_t Start, uint32_t By, uint32_t Loop = 0) {
    return node(What, C.Nodes[Start].Width, Start, By, Loop);
  }
};

TEST(Proof, ABoundOnAProductOfStrides) {
  Stride K; // for (d = 64, o = 1; d > 0; d /= 2, o *= 2) if (l < d) a[o * l]
  K.Launch.Global[0] = K.Launch.Local[0] = 64;
  const uint32_t D = K.step(Op::sdivided, K.number(64, 32), K.Two);
  const uint32_t O = K.step(Op::multiplied, K.One, K.Two);
  const uint32_t Again = K.when(Kind::SLT, K.Zero, D);
  K.loop(0, Again);
  K.read(K.two(Op::mul, O, K.id()), K.when(Kind::SLT, K.id(), D, Again));
  K.expectNeeds(64);
}

TEST(Proof, AStrideThatIsTestedAtItsEnd) {
  Stride K; // d = 1; do a[d]; while ((d *= 2) < 50);
  const uint32_t D = K.step(Op::multiplied, K.One, K.Two);
  K.loop(0, K.when(Kind::SLT, K.two(Op::mul, D, K.Two), K.number(50, 32)));
  K.read(D);
  K.expectNeeds(33);
}

TEST(Proof, AStrideThatIsTestedBeforeItsStep) {
  Stride K; // d = 1; for (;;) { a[d]; if (d >= 50) break; d *= 2; }
  const uint32_t D = K.step(Op::multiplied, K.One, K.Two);
  K.loop(0, K.when(Kind::SLT, D, K.number(50, 32)));
  K.read(D);
  K.expectNeeds(65);
}

TEST(Proof, BehindALoopThatItsHeaderLeavesAStrideHasItsLastValue) {
  for (bool LeftByHeader : {true, false}) {
    Stride K; // for (d = 1; d < 50; d *= 2); a[100 - d]
    const uint32_t D = K.step(Op::multiplied, K.One, K.Two);
    const uint32_t Limit = K.number(50, 32);
    K.loop(0, K.when(Kind::SLT, D, Limit));
    const uint32_t Behind = K.when(Kind::SLE, Limit, D);
    K.read(K.two(Op::sub, K.number(100, 32), D), LeftByHeader ? Behind : 0);
    K.expectNeeds(LeftByHeader ? 37 : 100); // d = 64, or left with d = 1
  }
}

TEST(Proof, AStrideInFewBitsWrapsAround) {
  Stride K; // uchar d = 3; do a[d]; while ((d *= 2) > 2);
  const uint32_t Two = K.number(2, 8);
  const uint32_t D = K.step(Op::multiplied, K.number(3, 8), Two);
  K.loop(0, K.when(Kind::ULT, Two, K.two(Op::mul, D, Two)));
  K.read(K.node(Op::zext, 32, D));
  K.expectNeeds(193); // 3, ..., 192, 128
}

TEST(Proof, AStrideThatNeverEndsProvesNothing) {
  for (int64_t By : {1, 3}) { // is never 0, however often it wraps around
    Stride K;
    const uint32_t D = K.step(Op::multiplied, K.One, K.number(By, 32));
    const uint32_t Again = K.when(Kind::NotEqual, D, K.Zero);
    K.loop(0, Again);
    K.read(K.two(Op::bit_and, D, K.Zero), Again);
    EXPECT_TRUE(K.holds(4));
    K.read(K.two(Op::bit_and, D, K.number(6, 32)), Again);
    K.C.All.erase(K.C.All.begin());
    EXPECT_TRUE(K.holds(28));
    EXPECT_FALSE(K.holds(8)); // By is 1 would do; it is not known to end
  }
}

TEST(Proof, WhatIsDividedInWaysThatAreNotFollowed) {
  // Of a negative number, by a negative one, by zero: d = start; do a[d +
  // 200]; while ((d /= by) != 0);
  for (auto [Start, By] : {std::pair(-100, 2), {100, -2}, {100, 0}}) {
    Stride K;
    const uint32_t N = K.number(By, 32);
    const uint32_t D = K.step(Op::sdivided, K.number(Start, 32), N);
    K.loop(0, K.when(Kind::NotEqual, K.two(Op::sdiv, D, N), K.Zero));
    K.read(K.two(Op::add, D, K.number(200, 32)));
    EXPECT_FALSE(K.holds(301 * 4)) << Start << " by " << By;
    EXPECT_FALSE(K.holds(301 * 4 - 1));
  }
  Stride K; // the same bits, not signed: 2^32 - 100, 2^31 - 50, ...
  const uint32_t D = K.step(Op::udivided, K.number(-100, 32), K.Two);
  K.loop(0, K.when(Kind::ULT, K.number(1000, 32), D));
  K.readAt(K.two(Op::mul, K.node(Op::zext, 64, D), K.number(4, 64)));
  K.expectNeeds((uint64_t(1) << 32) - 99);
}

TEST(Proof, MoreDivisionsThanTheNumberHasBits) {
  Stride K; // for (r = 0, d = 2^31; r < 40; r++, d /= 2) a[d >> 30]
  const uint32_t D = K.step(Op::udivided, K.number(INT32_MIN, 32), K.Two);
  const uint32_t R = K.counter(K.Zero, K.One);
  const uint32_t Again = K.when(Kind::SLT, R, K.number(40, 32));
  K.loop(0, Again);
  K.read(K.two(Op::lshr, D, K.number(30, 32)), Again);
  K.expectNeeds(3);
  K.read(K.two(Op::add, R, K.two(Op::bit_and, D, K.One)), Again);
  K.expectNeeds(40); // d is 0 then; at 31 it is 1, and this 32
}

TEST(Proof, ALoopThatDoesNotRunHasNoValue) {
  for (int32_t Runs : {0, 1}) {
    Stride K; // int v = 7; if (runs) for (v = 1; v < 50; v *= 2); a[v]
    const uint32_t Arg = K.argument(1, Runs), Limit = K.number(50, 32);
    const uint32_t Around = K.when(Kind::NotEqual, Arg, K.Zero);
    const uint32_t Else = K.when(Kind::Equal, Arg, K.Zero);
    const uint32_t D = K.step(Op::multiplied, K.One, K.Two);
    K.loop(Around, K.when(Kind::SLT, D, Limit, Around));
    const uint32_t Left = K.when(Kind::SLE, Limit, D, Around);
    K.read(K.node(Op::select, 32, D, K.number(7, 32),
                  Node::conditions(Left, Else)));
    K.expectNeeds(Runs ? 65 : 8);
  }
}

TEST(Proof, WhatIsNeverCalculatedLeavesTheOther) {
  Stride K; // 5, or what is chosen by neither of two ways
  const uint32_t Never = K.when(Kind::SLT, K.One, K.Zero);
  const uint32_t None =
      K.node(Op::select, 32, K.One, K.Two, Node::conditions(Never, Never));
  K.read(K.node(Op::phi, 32, K.number(5, 32), K.two(Op::add, None, K.One)));
  K.expectNeeds(6);
}

TEST(Proof, AnInnerLoopsRoundSaysNothingOfTheOuterOnesEarlierRounds) {
  Stride K; // i = 0; do { for (d = 1; d < 8 && ...; d *= 2); a[i + 8 - d]; }
            // while (i++ < d);
  const uint32_t I = K.counter(K.Zero, K.One, 0);
  const uint32_t D = K.step(Op::multiplied, K.One, K.Two, 1);
  const uint32_t Eight = K.number(8, 32);
  K.loop(0, K.when(Kind::SLT, I, D));
  K.loop(0, K.when(Kind::SLT, D, Eight), /*Inside=*/1);
  K.read(K.two(Op::sub, K.two(Op::add, I, Eight), D));
  // i = 8, since d was 8; now it is 1.
  EXPECT_FALSE(K.holds(15 * 4));
}

TEST(Proof, LoopsThatAreNotThereAreRefused) {
  Stride K;
  K.step(Op::multiplied, K.One, K.Two, /*Loop=*/1);
  K.loop(0, 0);
  EXPECT_STREQ(invalidReason(K.C), "a counter has no loop");
  K.loop(0, 0, /*Inside=*/1);
  EXPECT_EQ(invalidReason(K.C), nullptr);
  for (uint32_t Inside : {2U, 3U}) { // in a circle; what is not there
    K.C.Loops[0].Parent = Inside;
    EXPECT_STREQ(invalidReason(K.C), "a loop is inside of what is not there");
  }
}

TEST(Proof, QuotientAndRemainderBelongTogether) {
  Kernel K; // a[(x / 11) * 11 + x % 11]
  K.Launch.Global[0] = 110;
  K.Launch.Local[0] = 10;
  const uint32_t X = K.id(), By = K.number(11, 32);
  K.read(K.two(Op::add, K.two(Op::mul, K.two(Op::udiv, X, By), By),
               K.two(Op::urem, X, By)));
  K.expectNeeds(110);
}

TEST(Proof, WhatIsClampedStaysInside) {
  Kernel K; // a[min(max(x - 5, 0), 19)]
  K.Launch.Global[0] = 100;
  K.Launch.Local[0] = 10;
  K.read(K.two(
      Op::smin,
      K.two(Op::smax, K.two(Op::sub, K.id(), K.number(5, 32)), K.number(0, 32)),
      K.number(19, 32)));
  K.expectNeeds(20);
}

TEST(Proof, ARowThatEndsWithItsTile) {
  Kernel K; // for (y = id * 8; y < min(n, id * 8 + 8); y++) a[y]
  K.Launch.Global[0] = 16;
  K.Launch.Local[0] = 4;
  const uint32_t Eight = K.number(8, 32);
  const uint32_t Start = K.two(Op::mul, K.id(), Eight);
  const uint32_t End =
      K.two(Op::smin, K.argument(1, 100), K.two(Op::add, Start, Eight));
  const uint32_t Y = K.counter(Start, K.number(1, 32));
  const uint32_t Inside = K.when(Kind::SLT, Y, End);
  K.loop(0, Inside);
  K.read(Y, Inside);
  K.expectNeeds(100);
}

TEST(Proof, DownwardsUntilItWrapsAround) {
  Kernel K; // for (uint i = n - 1; i < n; i--) a[i]
  const uint32_t N = K.argument(1, 40);
  const uint32_t I =
      K.counter(K.two(Op::sub, N, K.number(1, 32)), K.number(-1, 32));
  const uint32_t Inside = K.when(Kind::ULT, I, N);
  K.loop(0, Inside);
  K.readAt(K.two(Op::mul, K.node(Op::zext, 64, I), K.number(4, 64)), Inside);
  K.expectNeeds(40);
}

TEST(Proof, WhatMayWrapAroundProvesNothing) {
  Kernel K; // a[x * w], as ints
  K.Launch.Global[0] = 1 << 20;
  K.Launch.Local[0] = 64;
  K.read(K.two(Op::mul, K.id(), K.argument(1, 1 << 12)));
  EXPECT_FALSE(K.holds(uint64_t(1) << 40));
  K.argument(1, 1 << 10);
  EXPECT_TRUE(K.holds(uint64_t(1) << 40));
}

TEST(Proof, WhatIsLoadedIsAnythingButWhatAGuardLetsThrough) {
  Kernel K;
  const uint32_t Loaded = K.node(Op::opaque, 32, 0, 0, 1);
  K.read(Loaded, K.when(Kind::ULT, Loaded, K.argument(1, 77)));
  K.expectNeeds(77);
  K.C.All[0].Where = 0;
  EXPECT_FALSE(K.holds(1000));
}

TEST(Proof, WhatIsLoadedIsWhatItsMemoryContainsOrZero) {
  Kernel K;
  K.C.Contents = {{1, 32, 4, 0, 4}};
  K.read(K.node(Op::loaded, 32, 0));
  EXPECT_FALSE(K.holds(1000));
  K.Contents = {LaunchValues::Range{5, 76}};
  K.expectNeeds(77);
  K.Contents = {LaunchValues::Range{-1, 76}};
  EXPECT_FALSE(K.holds(1000));
  K.Contents = {LaunchValues::Range{-7, -7}}; // but zero is not below
  EXPECT_FALSE(K.holds(1000));
  K.Contents = {std::nullopt};
  EXPECT_FALSE(K.holds(1000));
}

TEST(Proof, MembersOfTheSameMemoryAreKnownEachByItself) {
  // a[s[...].first + s[...].second], of struct { int first, other, second; }
  Kernel K;
  K.C.Contents = {{1, 32, 12, 0, 4}, {1, 32, 12, 8, 4}};
  K.read(K.two(Op::add, K.node(Op::loaded, 32, 0, 0, 1),
               K.node(Op::loaded, 32, 1, 0, 2)));
  K.Contents = {LaunchValues::Range{0, 9}, LaunchValues::Range{3, 20}};
  K.expectNeeds(30);
  for (int Unknown : {0, 1}) {
    K.Contents = {LaunchValues::Range{0, 9}, LaunchValues::Range{3, 20}};
    K.Contents[static_cast<size_t>(Unknown)].reset();
    EXPECT_FALSE(K.holds(1000));
  }
}

TEST(Proof, ContentsHaveAPlace) {
  Kernel K;
  K.C.Contents = {{1, 32, 140, 72, 68}};
  K.read(K.node(Op::loaded, 32, 0));
  EXPECT_EQ(invalidReason(K.C), nullptr);
  const Content Right = K.C.Contents[0];
  for (const Content &Wrong :
       {Content{1, 16, 140, 72, 68}, // not what is loaded
        {1, 32, 138, 72, 64},        // between two
        {1, 32, 140, 70, 68},
        {1, 32, 140, 72, 66},
        {1, 32, 140, 72, 0},
        {1, 32, 140, 76, 68}, // in the next one, too
        {1, 32, 140, 144, UINT64_MAX - 3},
        {1, 32, 0, 0, 4},
        {1, 0, 140, 72, 68}}) {
    K.C.Contents = {Wrong};
    EXPECT_NE(invalidReason(K.C), nullptr)
        << Wrong.Stride << " " << Wrong.First << " " << Wrong.Bytes;
  }
  K.C.Contents = {Right};
  K.C.Nodes.push_back({Op::loaded, 32, 1});
  EXPECT_NE(invalidReason(K.C), nullptr);
}

TEST(Proof, AChoiceIsWhatItsConditionsLetItBe) {
  // i < 16 ? i : i - 16, of 32
  Kernel K;
  K.Launch.Global[0] = K.Launch.Local[0] = 32;
  const uint32_t I = K.id(), Half = K.number(16, 32);
  const uint32_t Less = K.when(Kind::SLT, I, Half);
  const uint32_t More = K.when(Kind::SLE, Half, I);
  const uint32_t Other = K.two(Op::sub, I, Half);
  K.read(K.node(Op::select, 32, I, Other, Node::conditions(Less, More)));
  K.expectNeeds(16);
  K.C.Nodes[K.C.All[0].Offset - 3].Value = Node::conditions(0, 0);
  EXPECT_FALSE(K.holds(64));
}

TEST(Proof, AChoiceIsNotBoundedByAnotherRepresentative) {
  // x = (int)id + n, n = -5, as 2^32 - 5; y = x >= 0 ? x : 7; if (y < 100)
  // a[y - 7], which begins at -7
  Kernel K;
  K.Launch.Global[0] = 128;
  K.Launch.Local[0] = 64;
  const uint32_t X = K.two(Op::add, K.id(), K.argument(1, -5));
  const uint32_t Zero = K.number(0, 32), Seven = K.number(7, 32);
  const uint32_t Above = K.when(Kind::SLE, Zero, X);
  const uint32_t Below = K.when(Kind::SLT, X, Zero);
  const uint32_t Y =
      K.node(Op::select, 32, X, Seven, Node::conditions(Above, Below));
  const uint32_t Few = K.when(Kind::SLT, Y, K.number(100, 32));
  K.read(K.two(Op::sub, Y, Seven), Few);
  EXPECT_FALSE(K.holds(1 << 20));
  K.C.All.clear();
  K.read(Y, Few);
  K.expectNeeds(100);
}

namespace {
/// With arithmetic whose overflow is undefined behavior.
struct Flagged : Kernel {
  uint32_t flagged(Op What, uint32_t A, uint32_t B,
                   unsigned Flags = Node::NoSignedWrap) {
    const uint32_t Index = two(What, A, B);
    C.Nodes[Index].Flags = static_cast<uint8_t>(Flags);
    return Index;
  }
};
} // namespace

TEST(Proof, AComparisonOfWhatOverflowsSaysNothing) {
  for (const auto &[N, Holds] :
       {std::pair(100, true), {INT32_MAX - 50, false}}) {
    Flagged K; // if (n + 100 <= 50) a[n]: not reached, by numbers that wrap
    const uint32_t Arg = K.argument(1, N);
    const uint32_t Sum = K.flagged(Op::add, Arg, K.number(100, 32));
    K.read(K.number(9, 32), K.when(Kind::SLE, Sum, K.number(50, 32)));
    EXPECT_EQ(K.holds(4), Holds) << N;
  }
}

TEST(Proof, WhatMayOverflowIsNoIndex) {
  Flagged K; // a[(x + 1) & 7], of any x; then where x < 100
  const uint32_t X = K.node(Op::opaque, 32, 0, 0, 1);
  const uint32_t Sum = K.flagged(Op::add, X, K.number(1, 32));
  const uint32_t Masked = K.two(Op::bit_and, Sum, K.number(7, 32));
  K.read(Masked);
  EXPECT_FALSE(K.holds(32));
  K.C.All[0].Where = K.when(Kind::SLT, X, K.number(100, 32));
  K.expectNeeds(8);
  K.C.All[0].Where = K.when(Kind::SLT, Sum, K.number(100, 32));
  EXPECT_FALSE(K.holds(32));
  K.C.All[0].Where = 0;
  K.C.Nodes[Sum].Flags = 0;
  K.expectNeeds(8);
  for (Op What : {Op::sub, Op::mul, Op::shl}) {
    K.C.Nodes[Sum] = {What, 32, X, K.C.Nodes[Sum].B, 0, Node::NoUnsignedWrap};
    EXPECT_EQ(K.holds(32), What == Op::mul) << nameOf(What);
  }
}

TEST(Proof, PoisonGoesThroughEverythingButFreeze) {
  for (Op What : {Op::umin, Op::smax, Op::urem, Op::udiv, Op::bit_xor, Op::lshr,
                  Op::phi, Op::mixed}) {
    Flagged K;
    const uint32_t Bad = K.node(Op::poison, 32);
    const uint32_t Three = K.number(3, 32);
    const uint32_t Made = K.node(What, 32, Bad, Three, 9);
    K.read(K.two(Op::bit_and, Made, K.number(15, 32)));
    EXPECT_FALSE(K.holds(64)) << nameOf(What);
  }
  Kernel K;
  const uint32_t Frozen = K.node(Op::freeze, 32, K.node(Op::poison, 32));
  K.read(K.two(Op::bit_and, Frozen, K.number(15, 32)));
  K.expectNeeds(16);
}

TEST(Proof, AChoiceByWhatOverflowsIsPoison) {
  for (const auto &[N, Holds] :
       {std::pair(100, true), {INT32_MAX - 50, false}}) {
    Flagged K; // a[n + 100 < 0 ? 3 : 5]
    const uint32_t Zero = K.number(0, 32);
    const uint32_t Sum =
        K.flagged(Op::add, K.argument(1, N), K.number(100, 32));
    const uint32_t Less = K.when(Kind::SLT, Sum, Zero);
    const uint32_t More = K.when(Kind::SLE, Zero, Sum);
    K.read(K.node(Op::select, 32, K.number(3, 32), K.number(5, 32),
                  Node::conditions(Less, More)));
    EXPECT_EQ(K.holds(24), Holds) << N;
  }
}

TEST(Proof, DividedByZeroOrShiftedTooFarIsPoison) {
  for (Op What :
       {Op::udiv, Op::sdiv, Op::urem, Op::srem, Op::shl, Op::lshr, Op::ashr})
    for (int32_t By : {3, 0, 32, -1}) {
      Kernel K; // a[(INT_MIN op by) & 7]
      const uint32_t Lowest = K.number(INT32_MIN, 32);
      const uint32_t Result = K.two(What, Lowest, K.argument(1, By));
      K.read(K.two(Op::bit_and, Result, K.number(7, 32)));
      const bool Shift =
          What == Op::shl || What == Op::lshr || What == Op::ashr;
      const bool Signed = What == Op::sdiv || What == Op::srem;
      const bool Defined = Shift      ? By == 3 || By == 0
                           : By == -1 ? !Signed
                                      : By != 0;
      EXPECT_EQ(K.holds(32), Defined) << nameOf(What) << " " << By;
    }
}

TEST(Proof, ACounterThatMayOverflow) {
  // for (i = n; i <= m; i++) a[i & 7]
  for (const auto &[From, To, Holds] : {std::tuple(0, 100, true),
                                        {INT32_MAX - 9, INT32_MAX - 2, true},
                                        {INT32_MAX - 9, INT32_MAX, false}}) {
    Flagged K;
    const uint32_t I = K.counter(K.argument(1, From), K.number(1, 32));
    K.C.Nodes[I].Flags = Node::NoSignedWrap;
    const uint32_t Again = K.when(Kind::SLE, I, K.argument(2, To), 0, 1);
    K.loop(0, Again);
    K.read(K.two(Op::bit_and, I, K.number(7, 32)), Again);
    EXPECT_EQ(K.holds(32), Holds) << To;
  }
}

TEST(Proof, AFactorThatMayOverflow) {
  // for (d = 1; d < n; d *= 2) a[d & 7]
  for (const auto &[To, Holds] :
       {std::pair(1 << 30, true), {(1 << 30) + 1, false}}) {
    Flagged K;
    const uint32_t Two = K.number(2, 32);
    const uint32_t D = K.node(Op::multiplied, 32, K.number(1, 32), Two, 0);
    K.C.Nodes[D].Flags = Node::NoSignedWrap;
    const uint32_t Again = K.when(Kind::SLT, D, K.argument(1, To));
    K.loop(0, Again);
    K.read(K.two(Op::bit_and, D, K.number(7, 32)), Again);
    EXPECT_EQ(K.holds(32), Holds) << To;
  }
}

TEST(Proof, WhatOpenCLLeavesOpen) {
  // clamp(id, lo, hi)
  for (const auto &[Low, High, Holds] :
       {std::tuple(3, 9, true), {4, 4, true}, {9, 3, false}}) {
    Flagged K;
    K.Launch.Global[0] = K.Launch.Local[0] = 64;
    const uint32_t Above = K.two(Op::smax, K.id(), K.argument(1, Low));
    K.read(K.flagged(Op::smin, Above, K.argument(2, High), Node::Ordered));
    EXPECT_EQ(K.holds(64), Holds) << Low;
  }
  // mul24(x, 2) & 7
  for (const auto &[X, Signed, Holds] : {std::tuple(1 << 23, 0, true),
                                         {(1 << 23) - 1, 1, true},
                                         {1 << 23, 1, false},
                                         {1 << 24, 0, false}}) {
    Flagged K;
    const uint32_t Product =
        K.flagged(Op::mul, K.argument(1, X), K.number(2, 32),
                  Node::Of24Bits | (Signed ? Node::NoSignedWrap : 0));
    K.read(K.two(Op::bit_and, Product, K.number(7, 32)));
    EXPECT_EQ(K.holds(32), Holds) << X << " " << Signed;
  }
}

TEST(Proof, AStepThatAnotherLoopDecidesIsNotKept) {
  // The step of the second loop is chosen by the first one's counter.
  Kernel K;
  const uint32_t Zero = K.number(0, 32), One = K.number(1, 32);
  const uint32_t I = K.counter(Zero, One, 0);
  const uint32_t Again = K.when(Kind::SLT, I, K.argument(1, 10), 0, 1);
  K.loop(0, Again);
  const uint32_t Few = K.when(Kind::SLT, I, K.number(5, 32));
  const uint32_t Many = K.when(Kind::SLE, K.number(5, 32), I);
  const uint32_t Step =
      K.node(Op::select, 32, One, K.number(2, 32), Node::conditions(Few, Many));
  const uint32_t J = K.counter(Zero, Step, 1);
  const uint32_t More = K.when(Kind::SLT, J, K.argument(2, 10));
  K.loop(0, More);
  K.read(J, More);
  EXPECT_FALSE(K.holds(1 << 20));
}

TEST(Proof, ASumThatWrapsAroundIsWhatConditionsSayOfIt) {
  // u + v, anything, but 0 <= u + v < 50
  Kernel K;
  const uint32_t U = K.node(Op::opaque, 32, 0, 0, 1);
  const uint32_t V = K.node(Op::opaque, 32, 0, 0, 2);
  const uint32_t Sum = K.two(Op::add, U, V);
  const uint32_t Above = K.when(Kind::SLE, K.number(0, 32), Sum);
  K.read(Sum, K.when(Kind::SLT, Sum, K.number(50, 32), Above));
  K.expectNeeds(50);
  K.C.All[0].Where = Above;
  EXPECT_FALSE(K.holds(1 << 20));
}

namespace {
/// for (i = 0; i < n; i += step), where the step is some number from 1 on.
struct SomeSteps : Kernel {
  uint32_t Zero = number(0, 32);
  uint32_t I = counter(Zero, node(Op::sub_group, 32, 0, 1));
};
} // namespace

TEST(Proof, StepsThatAreNotKnown) {
  SomeSteps K;
  const uint32_t Again = K.when(Kind::SLT, K.I, K.argument(1, 100), 0, 1);
  K.loop(0, Again);
  K.read(K.I, Again);
  EXPECT_TRUE(K.holds(400));
  EXPECT_FALSE(K.holds(399));
}

TEST(Proof, StepsThatAreNotKnownTestedAtTheEnd) {
  SomeSteps K; // do a[i]; while ((i += step) < n)
  const uint32_t Next = K.two(Op::add, K.I, K.C.Nodes[K.I].B);
  K.loop(0, K.when(Kind::SLT, Next, K.argument(1, 100), 0, 1));
  K.read(K.I);
  EXPECT_FALSE(K.holds(399));
  SomeSteps None; // comes round once, whatever the test says
  const uint32_t After = None.two(Op::add, None.I, None.C.Nodes[None.I].B);
  None.loop(0, None.when(Kind::SLT, After, None.argument(1, 0), 0, 1));
  None.read(None.I);
  EXPECT_FALSE(None.holds(3));
}

TEST(Proof, StepsThatAreNotKnownMayGoTooFar) {
  SomeSteps K; // the last step wraps around, and i < n holds again
  const uint32_t Again = K.when(Kind::SLT, K.I, K.argument(1, INT32_MAX), 0, 1);
  K.loop(0, Again);
  K.read(K.I, Again);
  EXPECT_FALSE(K.holds(uint64_t(1) << 40));
}

TEST(Proof, StepsThatMayBeZeroGoNowhere) {
  SomeSteps K; // or back
  K.C.Nodes[K.C.Nodes[K.I].B].B = 0;
  const uint32_t Again = K.when(Kind::SLT, K.I, K.argument(1, 100), 0, 1);
  K.loop(0, Again);
  K.read(K.two(Op::sub, K.counter(K.argument(2, 50), K.number(-1, 32)), K.Zero),
         Again); // goes down for ever
  EXPECT_FALSE(K.holds(uint64_t(1) << 40));
}

TEST(Proof, TwoCountersOfWhichOneIsNotKnown) {
  SomeSteps K; // for (i = j = 0; i + j < n; i += step, j++) a[j]
  const uint32_t J = K.counter(K.Zero, K.number(1, 32));
  const uint32_t Again =
      K.when(Kind::SLT, K.two(Op::add, K.I, J), K.argument(1, 100), 0, 1);
  K.loop(0, Again);
  K.read(J, Again);
  EXPECT_TRUE(K.holds(100 * 4));
  EXPECT_FALSE(K.holds(50 * 4 - 1)); // with a step of 1, up to 49 + 49
  K.read(K.I, Again);
  K.C.All.erase(K.C.All.begin());
  EXPECT_TRUE(K.holds(400)); // one step of 99
  EXPECT_FALSE(K.holds(399));
}

TEST(Proof, DividedByWhatIsNotKnown) {
  const auto Some = [](Kernel &K) { return K.node(Op::sub_group, 32, 0, 1); };
  Kernel K;
  K.Launch.Global[0] = 64;
  K.read(K.two(Op::udiv, K.id(), Some(K)));
  EXPECT_TRUE(K.holds(64 * 4)); // by 1
  EXPECT_FALSE(K.holds(64 * 4 - 1));
  Kernel Rest;
  Rest.Launch.Global[0] = 64;
  Rest.read(Rest.two(Op::urem, Rest.id(), Some(Rest)));
  EXPECT_TRUE(Rest.holds(64 * 4)); // by 64 or more
  EXPECT_FALSE(Rest.holds(64 * 4 - 1));
  Kernel Zero;
  Zero.Launch.Global[0] = 64;
  Zero.read(Zero.two(Op::udiv, Zero.id(), Zero.node(Op::sub_group, 32, 3, 0)));
  EXPECT_FALSE(Zero.holds(uint64_t(1) << 40));
}

TEST(Proof, RightsAndAlignment) {
  Kernel K;
  K.Launch.Global[0] = 10;
  K.Launch.Local[0] = 10;
  K.read(K.id());
  K.C.All[0].Align = 4;
  EXPECT_TRUE(K.holds(40));
  K.Args[0].Readable = false;
  EXPECT_FALSE(K.holds(40));
  K.Args[0].Readable = true;
  K.C.All[0].Align = 8;
  EXPECT_FALSE(K.holds(40));
}

TEST(Proof, NothingThatIsReadGoesInCircles) {
  Claims C;
  C.Nodes = {{Op::add, 32, 0, 0, 0}};
  EXPECT_NE(invalidReason(C), nullptr);
  C.Nodes = {{Op::counter, 32, 0, 0, 0}};
  EXPECT_NE(invalidReason(C), nullptr);
  C.Nodes = {{Op::constant, 32, 0, 0, 0}};
  EXPECT_EQ(invalidReason(C), nullptr);
  C.Conditions.push_back({Kind::SLT, 1, 0, 0, 0});
  EXPECT_NE(invalidReason(C), nullptr);
}

} // namespace
