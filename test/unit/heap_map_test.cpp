//===- test/unit/heap_map_test.cpp - the page table that twins read -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are numbers here: the table never reads what it tells of. What the
// device does with it is device/heap.cl itself, read as C++.
//
//===----------------------------------------------------------------------===//
#include "layer/svm/heap_map.h"

#include "test/unit/heap_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace warpsan;

static ulong2 find(WsU64 Address) {
  return warpsan_find(heapForTwins(), Address);
}

static WsBlock *add(WsU64 Start, size_t Size, WsU64 Rights = 0) {
  return addBlock(reinterpret_cast<void *>(Start), Size, Rights);
}

static constexpr WsU64 Base = WsU64(0x3A) << 40; // no memory of this process

TEST(HeapMap, EveryByteLeadsToItsBlock) {
  for (size_t Size : {1, 15, 16, 17, 4095, 4096, 4097, 100000}) {
    const WsU64 Start = Base + 4080;
    WsBlock *Block = add(Start, Size, WS_NOT_WRITABLE);
    ASSERT_TRUE(Block);
    for (WsU64 At = Start; At <= Start + Size; ++At) {
      EXPECT_EQ(find(At).x, Start) << At - Start << " of " << Size;
      EXPECT_EQ(find(At).y, Size | WS_NOT_WRITABLE);
    }
    EXPECT_EQ(find(Start - 1).x, 0U);
    EXPECT_EQ(find(Start + Size + 16).x, 0U);
    removeBlock(Block);
    EXPECT_EQ(find(Start).x, 0U);
  }
}

TEST(HeapMap, TheByteBehindABlockIsItsOwnUnlessAnotherBeginsThere) {
  WsBlock *First = add(Base, 32), *Second = add(Base + 32, 32);
  EXPECT_EQ(find(Base + 31).x, Base);
  EXPECT_EQ(find(Base + 32).x, Base + 32);
  EXPECT_EQ(find(Base + 64).x, Base + 32);
  removeBlock(First);
  EXPECT_EQ(find(Base).x, 0U);
  EXPECT_EQ(find(Base + 32).x, Base + 32);
  removeBlock(Second);
}

TEST(HeapMap, WhereTheTableCannotBeReadNothingIsLimited) {
  EXPECT_EQ(warpsan_find(nullptr, Base).y, WS_FOREIGN_SIZE);
  EXPECT_EQ(warpsan_outside(nullptr, Base, 64, 4), 0U);
}

TEST(HeapMap, ADeadBlockIsStillFound) {
  WsBlock *Block = add(Base, 4096);
  killBlock(Block);
  EXPECT_EQ(find(Base + 100).x, Base);
  EXPECT_EQ(find(Base + 100).y & WS_SIZE_BITS, 0U);
  removeBlock(Block);
}

TEST(HeapMap, EveryByteOfASlotLeadsToItsSize) {
  for (unsigned Shift : {5U, 7U, 11U, 12U, 13U, 16U}) {
    const WsU64 Slot = WsU64(1) << Shift,
                Start = Base + (WsU64(1) << 30) - Slot;
    const size_t Bytes = std::max<WsU64>(4 * Slot, 4096);
    auto *Sizes = static_cast<WsU64 *>(reserveZeroed(Bytes / Slot * 8));
    const WsU64 At = Start & ~WsU64(4095); // over the edge of a level 2 table
    ASSERT_TRUE(addSlots(At, Bytes, Shift, Sizes));
    setWord(Sizes[1], (Slot - 1) | WS_NOT_READABLE);
    for (WsU64 I = 0; I < Bytes; ++I) {
      ASSERT_EQ(find(At + I).x, At + I / Slot * Slot) << I << " of " << Shift;
      ASSERT_EQ(find(At + I).y,
                I / Slot == 1 ? (Slot - 1) | WS_NOT_READABLE : 0);
    }
    EXPECT_EQ(find(At - 1).x, 0U);
    EXPECT_EQ(find(At + Bytes).x, 0U);
    removeSlots(At, Bytes);
    EXPECT_EQ(find(At).x, 0U);
  }
}

TEST(HeapMap, ABlockCanComeWhereSlotsWere) {
  auto *Sizes = static_cast<WsU64 *>(reserveZeroed(4096));
  ASSERT_TRUE(addSlots(Base, 8192, 7, Sizes));
  removeSlots(Base, 8192);
  WsBlock *Block = add(Base + 16, 5000);
  EXPECT_EQ(find(Base + 4096).x, Base + 16);
  EXPECT_EQ(find(Base).x, 0U);
  removeBlock(Block);
}

TEST(HeapMap, WhatCannotBeEnteredIsNot) {
  EXPECT_FALSE(add(Base + 8, 16)); // not aligned
  EXPECT_FALSE(add(WsU64(1) << 47, 16));
}

TEST(HeapMap, OnlyAddressesThatAProcessCanHave) {
  WsBlock *Block = add(Base, 16);
  EXPECT_EQ(find(0).x, 0U);
  EXPECT_EQ(find(~WsU64(0)).x, 0U);
  EXPECT_EQ(find(WsU64(1) << 63 | Base).x, 0U);
  removeBlock(Block);
}

TEST(HeapMap, MemoryOfTheProcessIsForeign) {
  WsBlock *Block = add(Base, 16);
  updateForeign();
  int OnTheStack = 0;
  EXPECT_EQ(find(reinterpret_cast<WsU64>(&OnTheStack)).y, WS_FOREIGN_SIZE);
  EXPECT_EQ(find(Base + 4096).y, 0U); // nobody's
  removeBlock(Block);
}

TEST(HeapMap, ManyComeAndGo) {
  std::mt19937_64 Random(7);
  std::map<WsU64, std::pair<WsU64, WsBlock *>> Live;
  // The block around or right before an address, as a map has it.
  auto Wanted = [&](WsU64 Address) -> WsU64 {
    auto After = Live.upper_bound(Address);
    if (After == Live.begin())
      return 0;
    auto &[Start, Block] = *std::prev(After);
    // The granule of its last byte, and of the byte behind it.
    return Address <= ((Start + Block.first) | 15) ? Start : 0;
  };
  for (int Round = 0; Round < 20000; ++Round) {
    const WsU64 Start = Base + (Random() % (1 << 20)) * 16;
    const size_t Size = Random() % (Round % 50 ? 200 : 40000);
    auto After = Live.upper_bound(Start);
    const bool Free =
        (After == Live.end() || Start + Size < After->first) &&
        (After == Live.begin() ||
         std::prev(After)->first + std::prev(After)->second.first < Start);
    if (Free) {
      WsBlock *Block = add(Start, Size);
      ASSERT_TRUE(Block);
      Live[Start] = {Size, Block};
    } else if (After != Live.begin()) {
      auto Gone = std::prev(After);
      removeBlock(Gone->second.second);
      Live.erase(Gone);
    }
    for (int I = 0; I < 20; ++I) {
      const WsU64 At = Base + Random() % (1 << 24);
      ASSERT_EQ(find(At).x, Wanted(At)) << Round;
    }
  }
}
