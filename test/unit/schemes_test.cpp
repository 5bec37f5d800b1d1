//===- test/unit/schemes_test.cpp - models of other schemes ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "schemes/cusafe.h"
#include "schemes/gpushield.h"
#include "schemes/host.h"
#include "schemes/lmi.h"
#include "schemes/nofat.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

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

TEST(CuSafe, ClassesAreThoseOfThePaper) {
  EXPECT_EQ(cusafe::classOf(8), 1U); // with its header 16 bytes
  EXPECT_EQ(cusafe::classOf(9), 2U);
  EXPECT_EQ(cusafe::classOf(20), 2U);      // the paper's figure 5
  EXPECT_EQ(cusafe::classOf(256 - 8), 5U); // log2(256) - 3
  EXPECT_EQ(cusafe::classOf((uint64_t(1) << 41) - 8), cusafe::MostClass);
  EXPECT_EQ(cusafe::classOf(uint64_t(1) << 41), 0U);
}

// Whatever a pointer went through: it is good where its memory is, exactly,
// unless it was so far outside that its upper bits changed; then never again.
TEST(CuSafe, OnlyTheExactBytesAreAllowed) {
  std::mt19937_64 Random(17);
  for (int Try = 0; Try < 20000; ++Try) {
    const uint64_t Size = 1 + Random() % 5000;
    const unsigned Class = cusafe::classOf(Size);
    const uint64_t Block = uint64_t(1) << cusafe::bitsOf(Class);
    const uint64_t At = Random() % 1000 * Block;
    const bool Local = Random() % 2;
    const uint64_t First =
        (Local ? cusafe::localBase(Class, At) : cusafe::globalBase(Class, At)) +
        cusafe::HeaderBytes;
    int64_t Offset = 0;
    uint64_t Pointer = First;
    bool Left = false;
    for (int Move = 0; Move < 3; ++Move) {
      const int64_t By = static_cast<int64_t>(Random() % 4096) - 2048;
      Offset += By;
      Pointer = cusafe::moved(Pointer, Pointer + static_cast<uint64_t>(By));
      Left |= Offset + 8 < 0 || Offset + 8 >= static_cast<int64_t>(Block);
    }
    const uint64_t Bytes = 1 + Random() % 16;
    const bool Inside = Offset >= 0 && Offset + static_cast<int64_t>(Bytes) <=
                                           static_cast<int64_t>(Size);
    ASSERT_EQ(cusafe::allows(Pointer, Bytes, Size), Inside && !Left);
    if (!Left)
      ASSERT_EQ(cusafe::headerOf(Pointer), First - cusafe::HeaderBytes);
  }
}

// Kernels read it at the address that the pointer has.
TEST(CuSafe, TheSizeIsInFrontAndFreeClearsIt) {
  auto Host = HostScheme::named("cusafe");
  ASSERT_TRUE(Host);
  std::set<uint64_t> Seen;
  for (uint64_t Size = 5000; Size < 5200; ++Size) {
    const uint64_t At = Host->place(Size);
    ASSERT_NE(At, 0U);
    ASSERT_TRUE(Seen.insert(At).second); // freed ones are not given again
    const uint64_t Tag = Host->tagOf({At, Size, false, false}, 0);
    const auto *Header =
        reinterpret_cast<const uint64_t *>(cusafe::headerOf(Tag + Size - 1));
    ASSERT_EQ(*Header, Size);
    Host->free(At, Size);
    ASSERT_EQ(*Header, 0U);
  }
  EXPECT_TRUE(cusafe::allows(Host->tagOfForeign(), 16, uint64_t(1) << 62));
}

TEST(NoFat, ABinHoldsWhatItIsFor) {
  EXPECT_EQ(nofat::sizeOf(nofat::binOf(1)), 16U);
  EXPECT_EQ(nofat::sizeOf(nofat::binOf(16)), 16U);
  EXPECT_EQ(nofat::sizeOf(nofat::binOf(17)), 24U);
  EXPECT_EQ(nofat::sizeOf(nofat::binOf(25)), 32U);
  EXPECT_EQ(nofat::sizeOf(nofat::binOf(uint64_t(1) << 31)), uint64_t(1) << 31);
  EXPECT_EQ(nofat::binOf((uint64_t(1) << 31) + 1), nofat::NoBin);
  std::mt19937_64 Random(19);
  for (int Try = 0; Try < 100000; ++Try) {
    const uint64_t Size = 1 + (Random() >> (33 + Random() % 30));
    const unsigned Bin = nofat::binOf(Size);
    ASSERT_GE(nofat::sizeOf(Bin), Size);
    ASSERT_TRUE(Bin == 1 || nofat::sizeOf(Bin - 1) < Size);
  }
}

// By division, where the table has a reciprocal.
TEST(NoFat, TheBaseFollowsFromTheAddress) {
  auto Host = HostScheme::named("no-fat");
  const auto &Mast = *static_cast<const WsBins *>(Host->table());
  std::mt19937_64 Random(23);
  for (int Try = 0; Try < 200000; ++Try) {
    const unsigned Bin = 1 + static_cast<unsigned>(Random() % 55);
    const uint64_t Size = nofat::sizeOf(Bin);
    const uint64_t Slots = (uint64_t(1) << 31) / Size;
    const uint64_t First = nofat::addressIn(Bin, Random() % Slots) |
                           (Random() & nofat::TagMask) << nofat::TagShift;
    // The ends are where a rounded reciprocal goes wrong.
    for (uint64_t Offset : {uint64_t(0), Size - 1, Random() % Size})
      ASSERT_EQ(nofat::computeBase(First + Offset, Mast), First)
          << Size << " " << Offset;
    ASSERT_TRUE(nofat::allows(First + Size - 1, First, 1, Mast));
    ASSERT_FALSE(nofat::allows(First + Size - 1, First, 2, Mast));
    ASSERT_FALSE(nofat::allows(First - 1, First, 2, Mast));
    // Another random number is another allocation.
    ASSERT_FALSE(nofat::allows(First ^ uint64_t(1) << 50, First, 1, Mast));
  }
}

TEST(NoFat, WhatWasFreedHasOtherBits) {
  auto Host = HostScheme::named("no-fat");
  const auto &Mast = *static_cast<const WsBins *>(Host->table());
  auto Lets = [&](uint64_t Address) {
    const uint64_t Tag = Host->tagOf({Address, 100, false, false}, 0);
    return nofat::allows(Tag, nofat::computeBase(Tag, Mast), 4, Mast);
  };
  const uint64_t First = Host->place(100);
  EXPECT_TRUE(Lets(First));
  Host->free(First, 100);
  EXPECT_FALSE(Lets(First));
  const uint64_t Second = Host->place(97); // in the same place
  EXPECT_EQ((First ^ Second) << 16, 0U);
  EXPECT_TRUE(Lets(Second));
  if (First != Second) // but for one of 65,536 times
    EXPECT_FALSE(Lets(First));
}
