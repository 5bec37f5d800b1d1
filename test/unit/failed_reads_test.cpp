//===- test/unit/failed_reads_test.cpp - which error another follows from -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/failed_reads.h"

#include <gtest/gtest.h>

#include <string>

using namespace warpsan;

namespace {

using Access = SiteInfo::Access;

/// Site 0 reads, 1 reads where 0 says, 2 writes where 1 says. 3 and 4 read
/// where the other one says. 5 writes where nobody says.
KernelInfo kernel() {
  KernelInfo Kernel;
  Kernel.Sites.resize(6);
  Kernel.Sites[1].DependsOn = {0};
  Kernel.Sites[2].DependsOn = {1};
  Kernel.Sites[3].DependsOn = {4};
  Kernel.Sites[4].DependsOn = {3};
  Kernel.Sites[2].What = Kernel.Sites[5].What = Access::Write;
  for (uint32_t I = 0; I < Kernel.Sites.size(); ++I)
    Kernel.Sites[I].At = {{"k.cl", 10 + I, 3, "k"}};
  return Kernel;
}

Finding failure(uint32_t Site, uint64_t Launch = 1) {
  Finding F;
  F.Kind = FindingKind::out_of_bounds_read;
  F.Id = "ws-" + std::to_string(Site);
  F.Site = kernel().Sites[Site];
  F.Launch.Number = Launch;
  return F;
}

/// The id of what \p Site of \p Launch follows from; empty if there is none.
std::string causeOf(const FailedReads &Reads, uint32_t Site,
                    uint64_t Launch = 1) {
  const auto Cause = Reads.causeOf(failure(Site, Launch), Site, kernel());
  return Cause ? Cause->Id : "";
}

} // namespace

TEST(FailedReads, TheFirstReadThatDecidesIsTheCause) {
  FailedReads Reads;
  EXPECT_EQ(causeOf(Reads, 2), "");
  Reads.note(failure(1), 1);
  EXPECT_EQ(causeOf(Reads, 2), "ws-1");
  FailedReads Both;
  Both.note(failure(0), 0);
  Both.note(failure(1), 1);
  const auto Cause = Both.causeOf(failure(2), 2, kernel());
  ASSERT_TRUE(Cause);
  EXPECT_EQ(Cause->Id, "ws-0") << "through the read that did not fail";
  EXPECT_EQ(Cause->Location, "k.cl:10");
  EXPECT_EQ(causeOf(Both, 1), "ws-0");
  EXPECT_EQ(causeOf(Both, 0), "");
  EXPECT_EQ(causeOf(Both, 5), "");
}

TEST(FailedReads, OfACycleTheFirstIsTheCause) {
  FailedReads Reads;
  Reads.note(failure(4), 4);
  EXPECT_EQ(causeOf(Reads, 4), "");
  EXPECT_EQ(causeOf(Reads, 3), "ws-4");
}

TEST(FailedReads, OtherLaunchesAreNoCause) {
  FailedReads Reads;
  Reads.note(failure(0, 7), 0);
  EXPECT_EQ(causeOf(Reads, 1, 8), "");
  EXPECT_EQ(causeOf(Reads, 1, 7), "ws-0");
  for (uint64_t Launch = 8; Launch < 1000; ++Launch)
    Reads.note(failure(0, Launch), 0);
  EXPECT_EQ(causeOf(Reads, 1, 7), "") << "long ago";
  EXPECT_EQ(causeOf(Reads, 1, 999), "ws-0");
}

TEST(FailedReads, OnlyWhatReturnedZeroIsACause) {
  FailedReads Reads;
  Finding F = failure(0);
  F.Performed = true;
  Reads.note(F, 0);
  F = failure(0);
  F.Kind = FindingKind::runaway_loop;
  Reads.note(F, 0);
  F = failure(0);
  F.Site.What = Access::Write;
  Reads.note(F, 0);
  F = failure(0);
  F.Divergence.emplace();
  Reads.note(F, 0);
  EXPECT_EQ(causeOf(Reads, 1), "");
  F = failure(0);
  F.Site.What = Access::Atomic;
  F.Site.At.clear();
  Reads.note(F, 0);
  const auto Cause = Reads.causeOf(failure(1), 1, kernel());
  ASSERT_TRUE(Cause);
  EXPECT_EQ(Cause->Location, "");
}

TEST(FailedReads, ALoopThatRunsAwayFollowsFromItsRead) {
  FailedReads Reads;
  Reads.note(failure(0), 0);
  Finding F = failure(0);
  F.Kind = FindingKind::runaway_loop;
  const auto Cause = Reads.causeOf(F, 0, kernel());
  ASSERT_TRUE(Cause);
  EXPECT_EQ(Cause->Id, "ws-0");
}

TEST(FailedReads, WhatIsNoAccessHasNoCause) {
  FailedReads Reads;
  Reads.note(failure(0), 0);
  Finding F = failure(1);
  F.Divergence.emplace();
  EXPECT_FALSE(Reads.causeOf(F, 1, kernel()));
  EXPECT_FALSE(Reads.causeOf(failure(1), 6, kernel()));
}
