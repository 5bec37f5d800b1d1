//===- test/report/hits_test.cpp - which part of an NDRange failed --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/hits.h"

#include "abi/launch.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpsan;

using Three = std::array<uint64_t, 3>;

/// What device/report.cl calculates.
static uint32_t cellOnDevice(uint64_t Word, const Three &Id) {
  return static_cast<uint32_t>(Id[0] >> WS_LAUNCH_SHIFT(Word, 0)) |
         static_cast<uint32_t>(Id[1] >> WS_LAUNCH_SHIFT(Word, 1))
             << WS_LAUNCH_PLACE_Y(Word) |
         static_cast<uint32_t>(Id[2] >> WS_LAUNCH_SHIFT(Word, 2))
             << WS_LAUNCH_PLACE_Z;
}

TEST(Hits, SmallLaunchesHaveACellForEachWorkItem) {
  for (const Three &Global : {Three{256, 1, 1},
                              {16, 16, 1},
                              {8, 8, 4},
                              {3, 1, 1},
                              {5, 2, 1},
                              {1, 1, 2}}) {
    const HitMap Map = emptyHitMap(Global);
    EXPECT_EQ(Map.Each, (Three{1, 1, 1}));
    EXPECT_EQ(Map.Hit.size(), Global[0] * Global[1] * Global[2]);
  }
}

TEST(Hits, TheHostFindsWhatTheDeviceMarks) {
  std::mt19937_64 Random(8);
  for (int Round = 0; Round < 5000; ++Round) {
    LaunchInfo Launch;
    Three Id = {};
    for (size_t I = 0; I < 1 + Random() % 3; ++I) {
      Launch.Global[I] = 1 + (Random() >> (8 + Random() % 56));
      Id[I] = Random() % Launch.Global[I];
    }
    const uint64_t Word = launchWord(4097, Launch.Global);
    EXPECT_EQ(WS_LAUNCH_NUMBER(Word), 4097U);
    const uint32_t Cell = cellOnDevice(Word, Id);
    ASSERT_LT(Cell, static_cast<uint32_t>(WS_HIT_CELLS));
    WsRecord Record = {};
    Record.Hit[Cell / 32] = 1U << Cell % 32;
    const std::optional<HitMap> Map = hitsOf(Record, Launch);
    ASSERT_TRUE(Map && Map->isValid());
    for (size_t I = 0; I < Map->Hit.size(); ++I)
      EXPECT_EQ(Map->Hit[I], I == Map->cellOf(Id));
  }
}

TEST(Hits, CellsThatTheLaunchDoesNotHaveAreRefused) {
  LaunchInfo Launch;
  Launch.Global = {64, 1, 1};
  WsRecord Record = {};
  EXPECT_FALSE(hitsOf(Record, Launch));
  Record.Hit[1] = 1U << 31;
  EXPECT_TRUE(hitsOf(Record, Launch));
  Record.Hit[2] = 1;
  EXPECT_FALSE(hitsOf(Record, Launch));
}
