//===- test/unit/suppressions_test.cpp - findings that are known ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/suppressions.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

Finding finding() {
  Finding F;
  F.Kind = FindingKind::out_of_bounds_read;
  F.Id = "ws-3f9c212d7f1633a7";
  F.Kernel = "CopyTile";
  F.Root.What = RootInfo::Kind::Argument;
  F.Arg = ArgInfo{"dest", "float*", "global"};
  F.Site.At = {{"/src/inner/common.cl", 12, 3, "load"},
               {"/src/copy.cl", 40, 5, "CopyTile"}};
  return F;
}

bool suppressed(const std::string &Line, const Finding &F = finding()) {
  Suppressions S = parseSuppressions(Line, "f");
  EXPECT_EQ(S.Problems, std::vector<std::string>()) << Line;
  EXPECT_EQ(S.All.size(), 1U) << Line;
  return S.find(F) != nullptr;
}

/// The only problem of \p Text.
std::string problem(const std::string &Text) {
  Suppressions S = parseSuppressions(Text, "my.supp");
  EXPECT_EQ(S.Problems.size(), 1U) << Text;
  return S.Problems.empty() ? "" : S.Problems.front();
}

} // namespace

TEST(Suppressions, EachKeyMatches) {
  for (const char *Line :
       {"id=ws-3f9c212d7f1633a7", "kind=out_of_bounds_read", "kind=out_of_*",
        "kernel=Copy*", "source=*/common.cl", "source=common.cl",
        "source=copy.cl", "source=/src/copy.cl", "buffer=dest",
        "kind=out_of_bounds_read kernel=CopyTile source=*.cl buffer=d*"})
    EXPECT_TRUE(suppressed(Line)) << Line;
  for (const char *Line :
       {"id=ws-3f9c225fe60fcf78", "kind=out_of_bounds_write", "kernel=Copy",
        "source=ommon.cl", "source=inner/common.cl", "buffer=src", "call=*",
        "kind=out_of_bounds_read kernel=Other"})
    EXPECT_FALSE(suppressed(Line)) << Line;
}

TEST(Suppressions, CallsAndVariables) {
  Finding F;
  F.Kind = FindingKind::double_free;
  F.Call = "clSVMFree";
  EXPECT_TRUE(suppressed("call=clSVM*", F));
  EXPECT_FALSE(suppressed("call=clReleaseMemObject", F));
  EXPECT_FALSE(suppressed("kernel=*", F));
  EXPECT_FALSE(suppressed("source=*", F));
  EXPECT_FALSE(suppressed("buffer=*", F));
  F.Memory.Variable = "table";
  EXPECT_TRUE(suppressed("buffer=table", F));
}

TEST(Suppressions, NamesOfCpp) {
  Finding F = finding();
  F.Kernel = "_Z5scaleIfEvPT_S0_";
  EXPECT_TRUE(suppressed("kernel=scale<float>", F));
  EXPECT_TRUE(suppressed("kernel=\"*scale<float>(float*, float)\"", F));
}

TEST(Suppressions, CommentsAndSpaces) {
  Suppressions S = parseSuppressions("# a comment\r\n"
                                     "\n"
                                     "  \t id=ws-1  kernel=a#b   # why \r\n"
                                     "buffer=x#no\n"
                                     "   #kernel=c",
                                     "f");
  EXPECT_TRUE(S.Problems.empty());
  ASSERT_EQ(S.All.size(), 2U);
  EXPECT_EQ(S.All[0].Line, 3U);
  EXPECT_EQ(S.All[0].Text, "id=ws-1  kernel=a#b");
  EXPECT_EQ(S.All[1].Line, 4U);
  EXPECT_EQ(S.All[1].Words[0].second, "x#no");
  EXPECT_EQ(parseSuppressions("\xEF\xBB\xBFid=a", "f").All.size(), 1U);
}

TEST(Suppressions, TheFirstThatMatchesCounts) {
  Suppressions S = parseSuppressions("kernel=No\nkernel=Copy*\nid=*", "f");
  ASSERT_TRUE(S.find(finding()));
  EXPECT_EQ(S.find(finding())->Line, 2U);
}

TEST(Suppressions, WhatIsWrongIsToldWithItsLine) {
  EXPECT_EQ(problem("id=a\n\nkernal=x\nid=b"),
            "my.supp:3: there is no key 'kernal': id, kind, kernel, source, "
            "buffer, call.");
  EXPECT_EQ(problem("CopyTile"),
            "my.supp:1: 'CopyTile' is not of the form key=pattern.");
  EXPECT_EQ(problem("kernel="), "my.supp:1: kernel= has no pattern.");
  EXPECT_EQ(problem("kernel=a kernel=b"), "my.supp:1: kernel= is given twice.");
  EXPECT_EQ(problem("kind=out_of_bound"),
            "my.supp:1: there is no kind of finding 'out_of_bound' "
            "(docs/reference/findings).");
  EXPECT_EQ(problem("kernel=\"a b"),
            "my.supp:1: the '\"' of kernel= is not closed.");
  EXPECT_NE(problem("kernel=\"a\"b"), "");
  EXPECT_NE(problem("=x"), "");
}

TEST(Suppressions, WhateverTheBytes) {
  EXPECT_NE(problem(std::string("kernel=a\0b", 10)), "");
  EXPECT_NE(problem("kernel=a\x1b[2J"), "");
  EXPECT_EQ(problem("kernel=a\x1b[2J").find('\x1b'), std::string::npos);
  EXPECT_NE(problem("kernel=" + std::string(5000, 'x')), "");
  // A file that is something else: not a problem for each of its lines.
  std::string Many;
  for (int I = 0; I < 10000; ++I)
    Many += "x\n";
  EXPECT_LE(parseSuppressions(Many, "f").Problems.size(), 20U);
  std::string Noise;
  for (unsigned I = 0, Seed = 1; I < 20000; ++I)
    Noise += static_cast<char>((Seed = Seed * 1664525U + 1013904223U) >> 24);
  EXPECT_FALSE(parseSuppressions(Noise, "f").Problems.empty());
  EXPECT_TRUE(parseSuppressions("", "f").All.empty());
}

TEST(Suppressions, FilesThatCannotBeRead) {
  for (const char *File : {"/nowhere/x.supp", "/", "/dev/zero"})
    EXPECT_EQ(readSuppressions(File).Problems.size(), 1U) << File;
  EXPECT_TRUE(readSuppressions("").Problems.empty());
}
