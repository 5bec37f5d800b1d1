//===- test/unit/proof/proof_soundness_test.cpp - nothing wrong is proven
//-------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random calculations, conditions and loops, run work-item by work-item with
// the arithmetic of the machine. A claim that was proven must hold in all; with
// one byte less than what was touched it must not be proven.
//
//===----------------------------------------------------------------------===//
#include "test/unit/proof/proof_random.h"

#include <iostream>

using namespace warpsan;
using namespace warpsan::random_kernels;

namespace {

/// Runs the launch. The end of what was touched; none if a work-item went
/// beyond what 62 bits say, that is, below the start.
struct Outcome {
  uint64_t End = 0;
  bool Touched = false;
};

void visit(const Random &R, std::mt19937 &Any,
           const std::array<uint64_t, 2> &LocalSize,
           std::array<uint64_t, 2> Item, Outcome &Seen) {
  const Claim &One = R.C.All[0];
  runItem(R, Any, LocalSize, Item, [&](Machine &M) {
    if (!M.allHold(One.Where))
      return;
    if (auto Offset = M.value(One.Offset)) {
      Seen.Touched = true;
      const uint64_t End = *Offset + One.Bytes;
      Seen.End =
          std::max(Seen.End, End < *Offset || *Offset >> 62 ? UINT64_MAX : End);
    }
  });
}

TEST(ProofSoundness, WhatIsProvenHolds) {
  unsigned Proven = 0, Exact = 0;
  for (unsigned Seed = 1; Seed <= 60000; ++Seed) {
    Random R(Seed);
    R.make();
    ASSERT_EQ(invalidReason(R.C), nullptr) << "seed " << Seed;
    if (!finishLoop(R))
      continue;
    Outcome Seen;
    std::mt19937 Any(Seed);
    for (int Try = 0; Try < 4; ++Try) {
      std::array<uint64_t, 2> LocalSize;
      for (int D = 0; D < 2; ++D)
        LocalSize[D] = R.Launch.Local[D] ? R.Launch.Local[D]
                                         : 1 + Any() % R.Launch.Global[D];
      for (uint64_t X = 0; X < R.Launch.Global[0]; ++X)
        for (uint64_t Y = 0; Y < R.Launch.Global[1]; ++Y)
          visit(R, Any, LocalSize, {X, Y}, Seen);
    }
    if (!Seen.Touched)
      continue;
    // With exactly what was touched it may be proven; with less it must not.
    R.Args[3].Size =
        Seen.End > (uint64_t(1) << 62) ? uint64_t(1) << 40 : Seen.End;
    if (Seen.End > R.Args[3].Size) {
      ASSERT_FALSE(R.isProven()) << "seed " << Seed;
      continue;
    }
    Exact += R.isProven();
    R.Args[3].Size = Seen.End - 1;
    ASSERT_FALSE(R.isProven()) << "seed " << Seed;
    R.Args[3].Size = uint64_t(1) << 33;
    Proven += R.isProven();
  }
  // It would be easy never to be wrong.
  EXPECT_GT(Exact, 3000U);
  EXPECT_GT(Proven, 10000U);
  RecordProperty("proven", static_cast<int>(Proven));
  std::cout << Exact << " proven exactly, " << Proven << " with much memory\n";
}

} // namespace
