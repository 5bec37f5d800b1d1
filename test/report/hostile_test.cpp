//===- test/report/hostile_test.cpp - records that no twin wrote ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rogue kernel can write anything into the record buffer. What it wrote must
// be refused, or be told without harm.
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <random>

using namespace warpsan;
using samples::anyNumber;
using samples::Case;
using samples::Sample;

TEST(Hostile, RecordsThatDoNotHoldTogetherAreRefused) {
  const Case Good;
  ASSERT_TRUE(Good.tryFinding());
  auto Refused = [&Good](void (*Change)(Case &)) {
    Case C = Good;
    Change(C);
    return !C.tryFinding();
  };
  EXPECT_TRUE(Refused([](Case &C) { C.Record = {}; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Ready = 0; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Ready = 2; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Key ^= 1U << 31; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Key ^= 1; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Launch.Number += WS_TAGS; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Root = 1; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Record.Root = UINT32_MAX; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Kernel.Sites.clear(); }));
  EXPECT_TRUE(Refused([](Case &C) {
    C.Record.Check = WS_TESTS;
    C.launch(C.Launch.Number);
  }));
  EXPECT_TRUE(Refused([](Case &C) { C.root().Arg = 1; }));
  EXPECT_TRUE(Refused([](Case &C) { C.Kernel.Args.clear(); }));
  EXPECT_TRUE(Refused([](Case &C) { C.Launch.Args.clear(); }));
}

TEST(Hostile, AnAccessThatNothingIsWrongWithIsRefused) {
  Case C;
  C.access(SiteInfo::Access::Write, "float", 4, 60);
  EXPECT_FALSE(C.tryFinding());
  C.access(SiteInfo::Access::Write, "", 0, 64); // no bytes, at the end
  EXPECT_FALSE(C.tryFinding());
  C.test(WS_TEST_MEMBER);
  C.access(SiteInfo::Access::Write, "float", 4, 60);
  EXPECT_FALSE(C.tryFinding());
}

/// The layer gave the twin less than the memory has: the twin's word counts.
TEST(Hostile, TheTwinsSizeIsToldIfTheMemoryWouldHaveHeldTheAccess) {
  Case C;
  C.Record.Size = 32;
  C.access(SiteInfo::Access::Write, "float", 4, 40);
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::out_of_bounds_write);
  EXPECT_EQ(F.Size, 32U);
  EXPECT_EQ(F.Distance, 8U);
}

static void expectRenders(const Finding &F) {
  std::string Text = textOf(F, {.Color = false, .Addresses = true});
  EXPECT_TRUE(Text.starts_with("WarpSan: "));
  EXPECT_TRUE(Text.ends_with(".\n"));
  EXPECT_EQ(Text.find("\n\n\n"), std::string::npos) << Text;
  for (char C : Text)
    ASSERT_TRUE(C == '\n' || static_cast<unsigned char>(C) >= 0x20) << Text;
  EXPECT_EQ(nlohmann::json::parse(jsonOf(F)).at("id"), F.Id);
}

TEST(Hostile, AnyNumbersCanBeTold) {
  std::mt19937_64 Random(4);
  const std::vector<Sample> Samples = samples::all();
  size_t Told = 0;
  for (int Round = 0; Round < 4000; ++Round) {
    Case C = Samples[Random() % Samples.size()].Of;
    WsRecord &R = C.Record;
    R.Items = static_cast<uint32_t>(anyNumber(Random));
    R.Offset = anyNumber(Random);
    R.Size = anyNumber(Random);
    R.Bytes = anyNumber(Random);
    R.Address = anyNumber(Random);
    for (unsigned I = 0; I < 3; ++I) {
      R.GlobalId[I] = anyNumber(Random);
      R.GroupId[I] = anyNumber(Random);
      R.LocalId[I] = static_cast<uint32_t>(anyNumber(Random));
      R.LocalSize[I] = static_cast<uint32_t>(anyNumber(Random));
      C.Launch.Global[I] = anyNumber(Random);
      C.Launch.Offset[I] = anyNumber(Random);
    }
    for (MemoryInfo &Memory : C.Launch.Args) {
      Memory.Size = anyNumber(Random);
      Memory.SubOffset = anyNumber(Random);
    }
    C.root().Size = anyNumber(Random);
    C.root().Element = anyNumber(Random);
    C.site().Align = anyNumber(Random);
    C.site().MemberElement = anyNumber(Random);
    C.Launch.Dimensions = static_cast<uint32_t>(Random() % 5);
    C.test(static_cast<uint32_t>(Random() % (WS_TEST_RIGHTS + 1)));
    if (C.Excerpt)
      C.site().At.front().Column = static_cast<uint32_t>(anyNumber(Random));
    if (std::optional<Finding> F = C.tryFinding()) {
      ++Told;
      expectRenders(*F);
    }
  }
  EXPECT_GT(Told, 2000U);
}

TEST(Hostile, AnyBytesAreNoRecord) {
  std::mt19937_64 Random(5);
  const Case Good;
  for (int Round = 0; Round < 4000; ++Round) {
    Case C = Good;
    unsigned char Bytes[sizeof(WsRecord)];
    std::memcpy(Bytes, &C.Record, sizeof(Bytes));
    for (size_t I = 0, Changes = 1 + Random() % 40; I < Changes; ++I)
      Bytes[Random() % sizeof(Bytes)] = static_cast<unsigned char>(Random());
    std::memcpy(&C.Record, Bytes, sizeof(Bytes));
    if (std::optional<Finding> F = C.tryFinding())
      expectRenders(*F);
  }
}

/// Sums that 64 bits with a sign do not hold; only UndefinedBehaviorSanitizer
/// sees the difference.
TEST(Hostile, PlacesBehindTheLastOnesCanBeTold) {
  for (const Sample &S : samples::all()) {
    Finding F = S.Of.finding();
    F.Offset = INT64_MIN;
    F.Bytes = UINT64_MAX;
    expectRenders(F);
  }
}

TEST(Hostile, AnySourceLineCanBeUnderlined) {
  std::mt19937_64 Random(6);
  const std::string Letters = "ab_0[]()().->*&+=<! \t\"\\/\x1b\xC3\xA9\xE2";
  for (int Round = 0; Round < 4000; ++Round) {
    Case C;
    std::string Line;
    for (size_t I = 0, Length = Random() % 200; I < Length; ++I)
      Line += Letters[Random() % Letters.size()];
    C.source(7, {Line}, static_cast<uint32_t>(Random() % 210));
    expectRenders(C.finding());
  }
}

TEST(Hostile, LongLinesAreCut) {
  Case C;
  std::string Line(1 << 20, '(');
  Line[500] = 'x';
  C.source(7, {Line, std::string(1 << 20, ')') + "x"}, (1 << 20) + 1);
  EXPECT_LT(textOf(C.finding()).size(), 2000U);
  C.source(7, {Line}, 501);
  EXPECT_LT(textOf(C.finding()).size(), 2000U);
}
