//===- test/unit/schemes_test.cpp - models of other schemes ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "schemes/gpushield.h"
#include "schemes/host.h"
#include "schemes/lmi.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpsan;

// The paper's own numbers: 256 bytes are 1, 256 GiB are 31, 0 is invalid.
TEST(Lmi, ExtentsAreThePapers) {
  EXPECT_EQ(lmi::extentOf(1), 1U);
  EXPECT_EQ(lmi::extentOf(256), 1U);
  EXPECT_EQ(lmi::extentOf(257), 2U);
  EXPECT_EQ(lmi::extentOf(uint64_t(48) << 10), 9U); // rounded up to 64 KiB
  EXPECT_EQ(lmi::extentOf(uint64_t(256) << 30), 31U);
  EXPECT_EQ(lmi::extentOf((uint64_t(256) << 30) + 1), 0U);
  EXPECT_FALSE(lmi::ec(0));
}

// The paper's example: 0x12345678 in a buffer of 256 bytes may become
// 0x123456ff, and not 0x12345700.
TEST(Lmi, TheExampleOfThePaper) {
  const uint64_t Pointer = lmi::pointerTo(0x12345600, 256) + 0x78;
  EXPECT_TRUE(lmi::ec(lmi::ocu(Pointer, Pointer + 0x87)));
  EXPECT_FALSE(lmi::ec(lmi::ocu(Pointer, Pointer + 0x88)));
  EXPECT_FALSE(lmi::ec(lmi::ocu(Pointer, Pointer - 0x79)));
}

TEST(Lmi, APointerIsGoodAsLongAsItNeverLeftItsBlock) {
  std::mt19937_64 Random(7);
  for (int Try = 0; Try < 20000; ++Try) {
    const uint64_t Size = 1 + Random() % (uint64_t(1) << (4 + Random() % 30));
    const uint64_t Block = uint64_t(1) << lmi::bitsOf(lmi::extentOf(Size));
    ASSERT_GE(Block, Size);
    const uint64_t Base = Block * (1 + Random() % 1000);
    uint64_t Pointer = lmi::pointerTo(Base, Size), Address = Base;
    bool Good = true;
    for (int Move = 0; Move < 6; ++Move) {
      // Most moves are near the ends, some are anywhere in 64 bits.
      const uint64_t Far =
          Random() % 16 == 0 ? Random() : Random() % (2 * Block);
      const uint64_t By = Random() % 2 ? Far : 0 - Far;
      const uint64_t Next =
          Random() % 3 ? Base - Address + Random() % Block : By;
      Address += Next;
      Good = Good && Address - Base < Block;
      Pointer = lmi::ocu(Pointer, Pointer + Next);
      ASSERT_EQ(lmi::ec(Pointer), Good) << Size << " bytes, move " << Move;
    }
  }
}

TEST(Lmi, AllocationsAreAlignedAndDoNotOverlap) {
  auto Host = HostScheme::named("lmi");
  ASSERT_TRUE(Host);
  std::mt19937_64 Random(3);
  std::map<uint64_t, uint64_t> Live; // address -> bytes
  std::vector<std::pair<uint64_t, uint64_t>> Asked;
  for (int I = 0; I < 3000; ++I) {
    if (!Asked.empty() && Random() % 3 == 0) {
      const auto [At, Size] = Asked[Random() % Asked.size()];
      if (!Live.erase(At))
        continue;
      Host->free(At, Size);
      continue;
    }
    const uint64_t Size = 1 + Random() % 100000;
    const uint64_t Bytes = uint64_t(1) << lmi::bitsOf(lmi::extentOf(Size));
    const uint64_t At = Host->place(Size);
    ASSERT_EQ(At % Bytes, 0U);
    auto After = Live.lower_bound(At);
    ASSERT_TRUE(After == Live.end() || At + Bytes <= After->first);
    ASSERT_TRUE(After == Live.begin() ||
                std::prev(After)->first + std::prev(After)->second <= At);
    Live[At] = Bytes;
    Asked.emplace_back(At, Size);
  }
}

// 300 bytes take 512, 100 take 256.
TEST(Lmi, FragmentationIsCountedAtThePeak) {
  auto Host = HostScheme::named("lmi");
  const uint64_t First = Host->place(300);
  Host->place(100);
  Host->free(First, 300);
  Host->place(1);
  EXPECT_EQ(Host->footprint().MostAsked, 400U);
  EXPECT_EQ(Host->footprint().TakenThen, 768U);
  EXPECT_EQ(Host->footprint().Asked, 101U);
}

TEST(GpuShield, WhatIsEncryptedCanBeDecryptedAndIsAPermutation) {
  std::mt19937_64 Random(11);
  for (int Try = 0; Try < 20; ++Try) {
    const gpushield::Key Key = gpushield::keyOf(Random());
    std::vector<bool> Seen(gpushield::IdMask + 1);
    for (uint64_t Id = 0; Id <= gpushield::IdMask; ++Id) {
      const uint64_t Hidden = gpushield::encrypted(Id, Key);
      ASSERT_EQ(gpushield::decrypted(Hidden, Key), Id);
      ASSERT_FALSE(Seen[Hidden]);
      Seen[Hidden] = true;
    }
  }
}

TEST(GpuShield, ARegionIsExactAndMayBeReadOnly) {
  auto Table = std::make_unique<WsRegions>();
  const gpushield::Key Key = gpushield::keyOf(0x123456789);
  const uint64_t Base = 0x7000'0000'0000 >> 1;
  Table->All[77] = {Base | WS_REGION_VALID | WS_REGION_READ_ONLY, 100};
  const uint64_t Pointer = gpushield::pointerTo(Base, 77, Key);
  auto Lets = [&](int64_t Offset, uint64_t Bytes, bool Writes) {
    return gpushield::bcu(Pointer + static_cast<uint64_t>(Offset), Bytes,
                          Writes, Key, *Table);
  };
  EXPECT_TRUE(Lets(0, 100, false));
  EXPECT_TRUE(Lets(96, 4, false));
  EXPECT_FALSE(Lets(97, 4, false));
  EXPECT_FALSE(Lets(-1, 1, false));
  EXPECT_FALSE(Lets(0, 101, false));
  EXPECT_FALSE(Lets(0, 4, true));
  // Another number: nothing is there.
  EXPECT_FALSE(gpushield::bcu(gpushield::pointerTo(Base, 78, Key), 4, false,
                              Key, *Table));
  // A key of another launch finds another region.
  EXPECT_FALSE(
      gpushield::bcu(Pointer, 4, false, gpushield::keyOf(0x987654321), *Table));
}

TEST(GpuShield, ArgumentsHaveNumbersOfTheirOwn) {
  auto Host = HostScheme::named("gpushield");
  ASSERT_TRUE(Host);
  const auto &Table = *static_cast<const WsRegions *>(Host->table());
  std::mt19937_64 Random(5);
  for (int Launch = 0; Launch < 3000; ++Launch) {
    const uint64_t Secret = Random();
    const gpushield::Key Key = gpushield::keyOf(Secret);
    uint64_t Tags[4];
    for (uint64_t I = 0; I < 4; ++I)
      Tags[I] =
          Host->tagOf({(I + 1) << 20, 64 * (I + 1), I == 3, false}, Secret);
    for (uint64_t I = 0; I < 4; ++I) {
      EXPECT_TRUE(gpushield::bcu(Tags[I], 64 * (I + 1), I != 3, Key, Table));
      EXPECT_FALSE(
          gpushield::bcu(Tags[I], 64 * (I + 1) + 1, false, Key, Table));
      EXPECT_EQ(gpushield::bcu(Tags[I], 1, true, Key, Table), I != 3);
    }
  }
}
