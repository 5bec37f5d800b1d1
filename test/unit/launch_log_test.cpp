//===- test/unit/launch_log_test.cpp - launches are found by their number -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/launch_log.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace warpsan;

namespace {

std::shared_ptr<const LaunchedKernel> kernel(const char *Name) {
  return std::make_shared<const LaunchedKernel>(
      LaunchedKernel{Name, "device", nullptr});
}

uint64_t log(const char *Name, const NDRange &Range = {}) {
  uint64_t Number = nextLaunchNumber();
  logLaunch(Number, kernel(Name), std::make_shared<const ArgMemories>(), Range);
  return Number;
}

} // namespace

TEST(LaunchLog, NumbersAreDifferentAndNeverMakeAZeroKey) {
  std::set<uint64_t> Seen;
  for (int I = 0; I < 3 * WS_TAGS; ++I) {
    uint64_t Number = nextLaunchNumber();
    EXPECT_NE(Number % WS_TAGS, 0U);
    EXPECT_TRUE(Seen.insert(Number).second);
  }
}

TEST(LaunchLog, ALaunchIsFoundWithItsRangeAndItsCaller) {
  const size_t Offset[] = {1, 2}, Global[] = {64, 16}, Local[] = {8, 4};
  uint64_t Number =
      log("k", {"clEnqueueNDRangeKernel", 2, Offset, Global, Local});
  auto Found = findLaunch(Number);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Kernel->Name, "k");
  EXPECT_STREQ(Found->Call, "clEnqueueNDRangeKernel");
  EXPECT_EQ(Found->Dimensions, 2U);
  EXPECT_EQ(Found->Offset, (std::array<uint64_t, 3>{1, 2, 0}));
  EXPECT_EQ(Found->Global, (std::array<uint64_t, 3>{64, 16, 1}));
  EXPECT_EQ(Found->Local, (std::array<uint64_t, 3>{8, 4, 1}));
  EXPECT_GT(Found->Caller.frames().size(), 2U);
}

TEST(LaunchLog, WhatIsLeftToTheDriverIsZero) {
  const size_t Global[] = {10};
  auto Found =
      findLaunch(log("k", {"clEnqueueNDRangeKernel", 1, nullptr, Global}));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Offset, (std::array<uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(Found->Local, (std::array<uint64_t, 3>{0, 0, 0}));
}

TEST(LaunchLog, DimensionsThatTheDriverWillRefuseAreSurvived) {
  const size_t Global[] = {1, 1, 1};
  auto Found =
      findLaunch(log("k", {"clEnqueueNDRangeKernel", 4000, nullptr, Global}));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Dimensions, 3U);
}

TEST(LaunchLog, NumbersThatNeverWereAreNotFound) {
  uint64_t Number = log("k");
  EXPECT_FALSE(findLaunch(0));
  EXPECT_FALSE(findLaunch(Number + LaunchesKept));
  EXPECT_FALSE(findLaunch(UINT64_MAX));
}

TEST(LaunchLog, TheLastOnesAreRememberedOlderOnesAreNot) {
  uint64_t Old = log("old");
  uint64_t Last = Old;
  // Two less: the number before the one that takes its place may be one of
  // those that are left out.
  while (Last < Old + LaunchesKept - 2)
    Last = log("later");
  EXPECT_TRUE(findLaunch(Old));
  while (Last < Old + LaunchesKept)
    Last = log("later");
  EXPECT_FALSE(findLaunch(Old));
  EXPECT_TRUE(findLaunch(Last));
}

TEST(LaunchLog, AKeptLaunchStaysUntilItIsLetGo) {
  uint64_t Number = log("recorded");
  {
    KeptLaunch Keep(Number);
    for (uint64_t I = 0; I < LaunchesKept; ++I)
      log("later");
    auto Found = findLaunch(Number);
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->Kernel->Name, "recorded");
  }
  EXPECT_FALSE(findLaunch(Number));
}

TEST(LaunchLog, MemoryIsDescribedAfterItsRelease) {
  auto M = std::make_shared<Memory>();
  M->Size = 77;
  ArgMemories Args(1);
  Args[0].What = ArgMemory::Kind::Known;
  Args[0].Of = M;
  uint64_t Number = nextLaunchNumber();
  logLaunch(Number, kernel("k"), std::make_shared<const ArgMemories>(Args), {});
  Args.clear();
  M.reset();
  auto Found = findLaunch(Number);
  ASSERT_TRUE(Found);
  EXPECT_EQ((*Found->Args)[0].Of->Size, 77U);
}

TEST(LaunchLog, ThreadsLogAndLookAtOnce) {
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([] {
      for (int I = 0; I < 5000; ++I) {
        uint64_t Number = log("k");
        auto Found = findLaunch(Number);
        if (Found) // the ring may have come round
          EXPECT_EQ(Found->Number, Number);
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
}
