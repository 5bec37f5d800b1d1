//===- test/unit/records_test.cpp - taking records out of their buffers ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/records/records.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace warpsan;

namespace {

/// Memory that goes back when the test ends.
class Records : public testing::Test {
protected:
  void SetUp() override {
    Memory = newRecordMemory();
    ASSERT_TRUE(Memory);
  }
  void TearDown() override {
    retireRecordMemory(Memory);
    takeRecords();
  }

  WsRecordBuffer &buffer() { return *Memory->Buffer; }

  /// What device/report.cl does.
  void write(uint32_t Place, uint64_t Launch, uint32_t Check, uint32_t Items) {
    WsRecord &R = buffer().Records[Place];
    R.Key = static_cast<uint32_t>(Launch % WS_TAGS) << WS_CHECK_BITS | Check;
    R.Items = Items;
    R.Check = Check;
    R.Launch = Launch;
    R.Hit[3] |= 1U << Place % 32;
    R.Ready = 1;
    ++buffer().Hits;
  }

  RecordMemory *Memory = nullptr;
};

} // namespace

TEST_F(Records, FreshMemoryHasItsVersionAndNoNews) {
  EXPECT_EQ(buffer().Version, static_cast<WsU32>(WS_RECORD_VERSION));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&buffer()) % 4096, 0U);
  EXPECT_FALSE(haveRecords());
  EXPECT_TRUE(takeRecords().Records.empty());
}

TEST_F(Records, ACompleteRecordIsTakenOnceAndItsEntryFreed) {
  write(7, 5, 12, 3);
  ASSERT_TRUE(haveRecords());
  TakenRecords Taken = takeRecords();
  ASSERT_EQ(Taken.Records.size(), 1U);
  EXPECT_EQ(Taken.Records[0].Launch, 5U);
  EXPECT_EQ(Taken.Records[0].Check, 12U);
  EXPECT_EQ(Taken.Records[0].Items, 3U);
  EXPECT_EQ(Taken.Records[0].Hit[3], 1U << 7);
  EXPECT_EQ(buffer().Records[7].Hit[3], 0U);
  EXPECT_EQ(buffer().Records[7].Key, 0U);
  EXPECT_EQ(buffer().Records[7].Ready, 0U);
  EXPECT_EQ(buffer().Records[7].Items, 0U);
  EXPECT_FALSE(haveRecords());
  EXPECT_TRUE(takeRecords().Records.empty());
}

TEST_F(Records, AFullBufferIsEmptied) {
  for (uint32_t I = 0; I < WS_RECORDS; ++I)
    write(I, 1 + I, I, 1);
  EXPECT_EQ(takeRecords().Records.size(), size_t(WS_RECORDS));
  for (uint32_t I = 0; I < WS_RECORDS; ++I)
    write(I, 1 + I, I, 1);
  EXPECT_EQ(takeRecords().Records.size(), size_t(WS_RECORDS));
}

TEST_F(Records, AnIncompleteRecordIsLookedAtAgain) {
  write(3, 9, 1, 1);
  buffer().Records[3].Ready = 0;
  EXPECT_TRUE(takeRecords().Records.empty());
  EXPECT_NE(buffer().Records[3].Key, 0U);
  // Hits does not change again when the work-item finishes its writing.
  EXPECT_TRUE(haveRecords());
  buffer().Records[3].Ready = 1;
  EXPECT_EQ(takeRecords().Records.size(), 1U);
  EXPECT_FALSE(haveRecords());
}

TEST_F(Records, LostOnesAreCountedOnce) {
  buffer().Lost = 4;
  ++buffer().Hits;
  EXPECT_EQ(takeRecords().Lost, 4U);
  buffer().Lost = 9;
  ++buffer().Hits;
  EXPECT_EQ(takeRecords().Lost, 5U);
}

TEST_F(Records, GarbageEverywhereIsTakenAndNamedAsDamage) {
  std::memset(&buffer(), 0xA5, sizeof(buffer()));
  TakenRecords Taken = takeRecords();
  EXPECT_EQ(Taken.Damaged, 1U);
  EXPECT_EQ(Taken.Records.size(), size_t(WS_RECORDS));
  EXPECT_EQ(buffer().Version, static_cast<WsU32>(WS_RECORD_VERSION));
  EXPECT_EQ(takeRecords().Records.size(), 0U);
}

TEST_F(Records, ManyAreNoticedBeforeThereIsNoRoom) {
  for (uint32_t I = 0; I < WS_RECORDS / 8 - 1; ++I)
    write(I, 1 + I, I, 1);
  EXPECT_FALSE(haveManyRecords());
  write(WS_RECORDS / 8, 1, 1, 1);
  EXPECT_TRUE(haveManyRecords());
  takeRecords();
  EXPECT_FALSE(haveManyRecords());
}

TEST_F(Records, RetiredMemoryIsDrainedAndUsedAgain) {
  write(1, 2, 3, 4);
  retireRecordMemory(Memory);
  EXPECT_EQ(takeRecords().Records.size(), 1U);
  RecordMemory *Again = newRecordMemory();
  EXPECT_EQ(Again, Memory);
  EXPECT_EQ(buffer().Records[0].Items, 0U);
  EXPECT_FALSE(haveManyRecords());
  EXPECT_EQ(buffer().Version, static_cast<WsU32>(WS_RECORD_VERSION));
  EXPECT_FALSE(haveRecords());
}

TEST_F(Records, AForkedChildForgetsItsParents) {
  write(1, 2, 3, 4);
  // Its contexts still point to it.
  [[maybe_unused]] static RecordMemory *volatile Kept;
  Kept = Memory;
  lockRecords();
  forgetRecords();
  EXPECT_FALSE(haveRecords());
}

TEST_F(Records, SeveralBuffersAreLookedAt) {
  RecordMemory *Other = newRecordMemory();
  ASSERT_NE(Other, Memory);
  std::swap(Other, Memory);
  write(0, 1, 1, 1);
  std::swap(Other, Memory);
  write(0, 2, 1, 1);
  EXPECT_EQ(takeRecords().Records.size(), 2U);
  retireRecordMemory(Other);
  takeRecords();
}

TEST_F(Records, NothingIsLostWhileTheDeviceWrites) {
  constexpr uint32_t Writes = 20000;
  std::thread Device([&] {
    for (uint32_t I = 0; I < Writes; ++I) {
      WsRecord &R = buffer().Records[I % WS_RECORDS];
      // A work-item takes a free entry only.
      while (std::atomic_ref(R.Key).load(std::memory_order_acquire))
        std::this_thread::yield();
      R.Launch = I;
      std::atomic_ref(R.Items).store(1, std::memory_order_relaxed);
      std::atomic_ref(R.Key).store(I + 1);
      std::atomic_ref(R.Ready).store(1, std::memory_order_release);
      std::atomic_ref(buffer().Hits).fetch_add(1);
    }
  });
  uint64_t Got = 0;
  while (Got < Writes) {
    if (haveRecords())
      Got += takeRecords().Records.size();
  }
  Device.join();
  EXPECT_EQ(Got, Writes);
}
