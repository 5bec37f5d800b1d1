//===- test/unit/object_map_test.cpp - marked objects as twins find them --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As heap_map_test: addresses are numbers, and device/heap.cl is read as C++.
//
//===----------------------------------------------------------------------===//
#include "layer/svm/object_map.h"

#include "layer/svm/heap_map.h"
#include "test/unit/heap_device.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

using namespace warpsan;

namespace {

constexpr WsU64 Base = WsU64(0x3B) << 40; // no memory of this process
constexpr WsU64 PoolBytes = 64 * 1024;

/// A pool with objects in it, and what is known of them without any table.
class Pool {
public:
  Pool()
      : Block(addBlock(reinterpret_cast<void *>(Base), PoolBytes, WS_MARKED)) {}
  ~Pool() {
    while (!All.empty())
      remove(All.begin()->first);
    removeBlock(Block);
  }

  bool isFree(WsU64 Start, WsU64 Bytes) const {
    auto After = All.lower_bound(Start);
    if (After != All.end() && After->first < Start + Bytes)
      return false;
    return After == All.begin() ||
           std::prev(After)->first + std::prev(After)->second->Bytes <= Start;
  }
  void add(WsU64 Start, WsU64 Bytes, WsU64 Rights = 0) {
    auto After = All.lower_bound(Start);
    WsObject *New =
        addObject(Start, Bytes, Rights,
                  After == All.begin() ? nullptr : std::prev(After)->second,
                  After == All.end() ? nullptr : After->second);
    ASSERT_TRUE(New);
    All[Start] = New;
  }
  void remove(WsU64 Start) {
    auto It = All.find(Start);
    auto After = std::next(It);
    removeObject(It->second,
                 It == All.begin() ? nullptr : std::prev(It)->second,
                 After == All.end() ? nullptr : After->second);
    All.erase(It);
  }
  /// What the device must find.
  ulong2 expected(WsU64 Address) const {
    auto After = All.upper_bound(Address);
    if (After != All.begin())
      if (const WsObject *O = std::prev(After)->second;
          Address - O->Start < O->Bytes)
        return pair(O->Start, O->Size);
    return pair(Base, PoolBytes);
  }
  void compare(WsU64 From, WsU64 To) const {
    for (WsU64 At = From; At < To; ++At) {
      const ulong2 Got = warpsan_find(heapForTwins(), At);
      const ulong2 Wanted = expected(At);
      ASSERT_EQ(Got.x, Wanted.x) << At - Base;
      ASSERT_EQ(Got.y, Wanted.y) << At - Base;
    }
  }

  std::map<WsU64, WsObject *> All; ///< by start

private:
  WsBlock *Block;
};

bool outside(WsU64 From, WsU64 Bytes) {
  return warpsan_outside(heapForTwins(), Base, From, Bytes) != 0;
}

} // namespace

TEST(ObjectMap, EveryByteLeadsToItsObjectAndOthersToThePool) {
  for (WsU64 At : {0, 1, 15, 16, 4000, 4095, 4096})
    for (WsU64 Bytes : {1, 2, 15, 16, 17, 31, 33, 4096, 8192, 10000}) {
      Pool P;
      P.add(Base + At, Bytes, WS_NOT_WRITABLE);
      P.compare(Base, Base + At + Bytes + 100);
      if (testing::Test::HasFatalFailure())
        FAIL() << At << " " << Bytes;
    }
}

TEST(ObjectMap, ManyObjectsInOneGranule) {
  Pool P;
  for (WsU64 At = 40; At-- > 0;)
    P.add(Base + 32 + At, 1);
  P.compare(Base, Base + 128);
  for (WsU64 At = 1; At < 40; At += 2)
    P.remove(Base + 32 + At);
  P.compare(Base, Base + 128);
}

TEST(ObjectMap, ADeadObjectIsStillFoundAndHasNoBytes) {
  Pool P;
  P.add(Base + 24, 100);
  killObject(P.All[Base + 24]);
  EXPECT_EQ(warpsan_find(heapForTwins(), Base + 30).x, Base + 24);
  EXPECT_EQ(warpsan_find(heapForTwins(), Base + 30).y, WS_MARKED);
}

TEST(ObjectMap, AnAccessMustBeAllInOneObject) {
  Pool P;
  P.add(Base + 8, 24);
  P.add(Base + 32, 8);
  EXPECT_FALSE(outside(8, 24));
  EXPECT_FALSE(outside(31, 1));
  EXPECT_FALSE(outside(32, 8));
  EXPECT_TRUE(outside(28, 8)); // the end of one and the start of the other
  EXPECT_TRUE(outside(7, 1));
  EXPECT_TRUE(outside(7, 2));
  EXPECT_TRUE(outside(40, 1));
  EXPECT_TRUE(outside(8, UINT64_MAX));
  EXPECT_FALSE(outside(40, 0));
  killObject(P.All[Base + 32]);
  EXPECT_TRUE(outside(32, 1));
  EXPECT_EQ(warpsan_outside(heapForTwins(), 0, 40, 1), 0U); // no pool
}

TEST(ObjectMap, WhateverComesAndGoes) {
  Pool P;
  std::mt19937 Random(7); // NOLINT(*-msc51-cpp): the same in every run
  auto Below = [&](WsU64 N) { return WsU64(Random()) % N; };
  for (int Round = 0; Round < 6000; ++Round) {
    if (!P.All.empty() && Below(5) < 2) {
      auto It = P.All.begin();
      std::advance(It, Below(P.All.size()));
      if (Below(3) == 0)
        killObject(It->second);
      else
        P.remove(It->first);
    } else {
      const WsU64 Bytes = 1 + Below(Below(40) ? 40 : 12000);
      const WsU64 Start = Base + Below(PoolBytes / 4);
      if (Start + Bytes <= Base + PoolBytes && P.isFree(Start, Bytes))
        P.add(Start, Bytes);
    }
    if (Round % 200 == 0)
      P.compare(Base, Base + PoolBytes / 2);
    if (testing::Test::HasFatalFailure())
      FAIL() << Round;
  }
}
