//===- test/report/finding_id_test.cpp - ids that last --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples.h"

#include <gtest/gtest.h>

using namespace warpsan;
using samples::Case;

/// A recorded value: ids are kept in other people's databases.
TEST(FindingId, IsTheSameForEver) {
  EXPECT_EQ(Case().finding().Id, "ws-92bc67");
}

TEST(FindingId, DoesNotDependOnTheRun) {
  const Case First;
  Case C;
  C.launch(4097);
  C.size(32);
  C.Record.GlobalId[0] = 5;
  C.Record.Items = 9;
  C.site().At.front().File = "/home/somebody/src/copy.cl";
  C.Launch.Device = "another";
  EXPECT_EQ(C.finding().Id, First.finding().Id);
}

TEST(FindingId, TellsKindKernelPlaceAndTestApart) {
  const std::string First = Case().finding().Id;
  auto Id = [](void (*Change)(Case &)) {
    Case C;
    Change(C);
    return C.finding().Id;
  };
  EXPECT_NE(First, Id([](Case &C) { C.Kernel.Name = "copy2"; }));
  EXPECT_NE(First,
            Id([](Case &C) { C.site().What = SiteFacts::Access::Read; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().Line++; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().Column++; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().File = "b.cl"; }));
  EXPECT_NE(First, Id([](Case &C) {
              C.site().At.push_back({"copy.cl", 9, 1, "copy", 0});
            }));

  Case Null;
  Null.root().What = RootFacts::Kind::Null;
  std::string Bounds = Null.finding().Id;
  Null.test(WS_TEST_ALIGN);
  EXPECT_NE(Bounds, Null.finding().Id);
}

TEST(Fingerprint, TellsSourceAndArgumentApart) {
  const Finding First = Case().finding();
  EXPECT_EQ(First.Fingerprint.size(), 16U);
  EXPECT_EQ(Case().finding().Fingerprint, First.Fingerprint);
  Case Source;
  Source.Kernel.SourceHash = 1;
  EXPECT_EQ(Source.finding().Id, First.Id);
  EXPECT_NE(Source.finding().Fingerprint, First.Fingerprint);
  Case Root;
  Root.root().Name = "other";
  EXPECT_EQ(Root.finding().Id, First.Id);
  EXPECT_NE(Root.finding().Fingerprint, First.Fingerprint);
}

TEST(FindingId, WithoutLinesTheSiteIsItsNumber) {
  Case C;
  C.Kernel.Sites.push_back(C.site());
  for (SiteFacts &Site : C.Kernel.Sites)
    Site.At.clear();
  std::string First = C.finding().Id;
  C.Record.Check = WS_TESTS;
  C.launch(C.Launch.Number);
  EXPECT_NE(First, C.finding().Id);
}

TEST(FindingId, ReadingAndWritingAtOnePlaceAreTwo) {
  SiteFacts Read = samples::Case().site(), Write = Read;
  Read.What = SiteFacts::Access::Read;
  Write.What = SiteFacts::Access::Write;
  for (FindingKind Kind :
       {FindingKind::member_overflow, FindingKind::null_pointer,
        FindingKind::wild_pointer, FindingKind::misaligned,
        FindingKind::use_after_free, FindingKind::use_after_scope})
    EXPECT_NE(findingId(Kind, "k", Read, 1, 0),
              findingId(Kind, "k", Write, 1, 0))
        << nameOf(Kind);
}
