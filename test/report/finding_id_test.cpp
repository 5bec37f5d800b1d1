//===- test/report/finding_id_test.cpp - ids that last --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpsan;
using samples::Case;

/// A recorded value: ids are kept in other people's databases.
TEST(FindingId, IsTheSameForEver) {
  EXPECT_EQ(Case().finding().Id, "ws-9ccc40bd2dd29d86");
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
  EXPECT_NE(First, Id([](Case &C) { C.site().What = SiteInfo::Access::Read; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().Line++; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().Column++; }));
  EXPECT_NE(First, Id([](Case &C) { C.site().At.front().File = "b.cl"; }));
  EXPECT_NE(First, Id([](Case &C) {
              C.site().At.push_back({"copy.cl", 9, 1, "copy", 0});
            }));

  Case Null;
  Null.root().What = RootInfo::Kind::Null;
  std::string Bounds = Null.finding().Id;
  Null.test(WS_TEST_ALIGN);
  EXPECT_NE(Bounds, Null.finding().Id);
}

/// anchorOf the place where "a[i]" is in \p Source, in function f.
static uint64_t anchorIn(const std::string &Source) {
  const size_t At = Source.find("a[i]");
  const auto Line = static_cast<uint32_t>(
      1 + std::count(Source.begin(), Source.begin() + long(At), '\n'));
  const size_t Start = Source.rfind('\n', At) + 1;
  return anchorOf(splitLines(Source),
                  {"f.cl", Line, uint32_t(At - Start + 1), "f"});
}

TEST(FindingId, SurvivesEditsOfOtherLines) {
  const uint64_t First = anchorIn("void f() {\n  a[i] = 1;\n}\n");
  EXPECT_NE(First, 0U);
  EXPECT_EQ(First, anchorIn("// new\n\nvoid f() {\n  int n;\n  a[i] = 1;\n}"));
  EXPECT_EQ(First, anchorIn("void f()\r\n{\r\n\ta[i]=1;\r\n}"));
  EXPECT_NE(First, anchorIn("void f() {\n  a[i] = 2;\n}\n"));
  EXPECT_NE(First, anchorIn("void f() {\n  a[j] = a[i] = 1;\n}\n"));
  // Equal lines of the function count, of others they do not.
  const std::string Twice = "void f() {\n  b[i] = 1;\n  b[i] = 1;\n}\n";
  const std::string Other = "void g() {\n  b[i] = 1;\n}\n" + Twice;
  EXPECT_NE(anchorOf(splitLines(Twice), {"f.cl", 2, 3, "f"}),
            anchorOf(splitLines(Twice), {"f.cl", 3, 3, "f"}));
  EXPECT_EQ(anchorOf(splitLines(Other), {"f.cl", 5, 3, "f"}),
            anchorOf(splitLines(Twice), {"f.cl", 2, 3, "f"}));
  EXPECT_EQ(anchorOf(splitLines(Twice), {"f.cl", 9, 1, "f"}), 0U);
  EXPECT_EQ(anchorOf(splitLines("\n\n"), {"f.cl", 1, 1, "f"}), 0U);
}

TEST(FindingId, IsOfTheLineIfItIsKnown) {
  Case First, Second;
  First.site().At.front().Anchor = 7;
  Second.site().At.front().Anchor = 7;
  Second.site().At.front().Line += 5;
  EXPECT_EQ(First.finding().Id, Second.finding().Id);
  Second.site().At.front().Anchor = 8;
  EXPECT_NE(First.finding().Id, Second.finding().Id);
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

/// A double free from \p Frames, the first of which is the caller.
static Finding freeFrom(std::vector<HostFrame> Frames, uint64_t Anchor = 0) {
  Finding F = diagnoseCall(FindingKind::double_free, "clSVMFree", {}, 0);
  F.Launch.Launched = std::move(Frames);
  identifyCall(F, F.Launch.Launched.front(), Anchor);
  return F;
}

TEST(FindingId, OfACallIsItsCallers) {
  const HostFrame Main{"main", "/src/a.c", 90, "/bin/a", 64};
  const HostFrame Stop{"stop(int)", "/src/a.c", 10, "/bin/a", 16};
  const Finding First = freeFrom({Stop, Main}, 7);
  auto With = [&](auto Change, uint64_t Anchor = 7) {
    HostFrame Frame = Stop;
    Change(Frame);
    return freeFrom({Frame, Main}, Anchor);
  };
  // Another directory, build or edit of other lines.
  const Finding Moved = With([](HostFrame &F) {
    F.File = "/home/somebody/a.c";
    F.Module = "/usr/bin/a";
    F.Offset = 99;
    F.Line = 12;
  });
  EXPECT_EQ(Moved.Id, First.Id);
  EXPECT_NE(Moved.Fingerprint, First.Fingerprint);
  for (const Finding &Other :
       {With([](HostFrame &) {}, 8),
        With([](HostFrame &F) { F.File = "/src/b.c"; }),
        With([](HostFrame &F) { F.Function = "start(int)"; })}) {
    EXPECT_NE(Other.Id, First.Id);
    EXPECT_NE(Other.Fingerprint, First.Fingerprint);
  }
  // Without its source it is the line's number, without a file the function.
  EXPECT_NE(freeFrom({Stop}).Id, With([](HostFrame &F) { ++F.Line; }, 0).Id);
  HostFrame Bare{"stop(int)", "", 0, "/bin/a", 16}, Next = Bare;
  ++Next.Offset;
  EXPECT_EQ(freeFrom({Bare}).Id, freeFrom({Next}).Id);
  EXPECT_NE(freeFrom({Bare}).Fingerprint, freeFrom({Next}).Fingerprint);
  Bare.Function = Next.Function = "";
  EXPECT_NE(freeFrom({Bare}).Id, freeFrom({Next}).Id);
}

TEST(Fingerprint, OfACallHasTheWholeBacktraceAndTheKernel) {
  const HostFrame Free{"release", "a.c", 3, "a", 1};
  const Finding First = freeFrom({Free, {"f", "a.c", 10, "a", 2}});
  const Finding Other = freeFrom({Free, {"f", "a.c", 11, "a", 3}});
  EXPECT_EQ(First.Id, Other.Id);
  EXPECT_NE(First.Fingerprint, Other.Fingerprint);
  Finding Kernel = First;
  Kernel.Kernel = "fill";
  identifyCall(Kernel, Free, 0);
  EXPECT_EQ(First.Id, Kernel.Id);
  EXPECT_NE(First.Fingerprint, Kernel.Fingerprint);
}

TEST(FindingId, WithoutLinesTheSiteIsItsNumber) {
  Case C;
  C.Kernel.Sites.push_back(C.site());
  for (SiteInfo &Site : C.Kernel.Sites)
    Site.At.clear();
  std::string First = C.finding().Id;
  C.Record.Check = WS_TESTS;
  C.launch(C.Launch.Number);
  EXPECT_NE(First, C.finding().Id);
}

TEST(FindingId, ReadingAndWritingAtOnePlaceAreTwo) {
  SiteInfo Read = samples::Case().site(), Write = Read;
  Read.What = SiteInfo::Access::Read;
  Write.What = SiteInfo::Access::Write;
  for (FindingKind Kind :
       {FindingKind::member_overflow, FindingKind::null_pointer,
        FindingKind::wild_pointer, FindingKind::misaligned,
        FindingKind::use_after_free, FindingKind::use_after_scope})
    EXPECT_NE(findingId(Kind, "k", Read, 1, 0),
              findingId(Kind, "k", Write, 1, 0))
        << nameOf(Kind);
}
