//===- test/report/collection_test.cpp - findings of many files -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace warpsan;
using samples::Sample;

namespace {

Finding sample(const std::string &Name, uint64_t Pid) {
  for (const Sample &S : samples::all())
    if (Name == S.Name) {
      Finding F = S.Of.finding();
      F.Process = {Pid, "tuner"};
      return F;
    }
  throw std::runtime_error("no sample " + Name);
}

/// One file each.
Collection collected(const std::vector<std::string> &Files,
                     std::vector<std::string> *Problems = nullptr) {
  Collector From;
  for (size_t I = 0; I < Files.size(); ++I) {
    std::istringstream In(Files[I]);
    From.add(In, "file" + std::to_string(I));
  }
  if (Problems)
    *Problems = From.problems();
  else
    EXPECT_TRUE(From.problems().empty()) << From.problems().front();
  return From.finish();
}

Summary summary() {
  Summary Sum;
  Sum.Processes = 1;
  Sum.Executables = {"tuner"};
  for (uint64_t &Counter : Sum.Counters)
    Counter = 5;
  Sum.Gaps = {{"kernel radix_sort", "its binary is not known", 12}};
  Sum.ExitCode = 0;
  return Sum;
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

} // namespace

TEST(Collection, TheSameIdOfOtherSourceIsAnotherFinding) {
  const Finding A = sample("far_write", 10);
  Finding B = A;
  B.Fingerprint = "00c0ffee00c0ffee";
  const Collection All = collected(
      {jsonOf(A) + jsonOf(B) +
       jsonOfRepeat(B.Id, B.Fingerprint, B.Launch.Number + 1, 7, 10)});
  ASSERT_EQ(All.Findings.size(), 2U);
  EXPECT_EQ(All.Findings[0].Launches, 1U);
  EXPECT_EQ(All.Findings[1].Launches, 2U);
  EXPECT_EQ(All.Findings[1].Items, B.Items + 7);
}

TEST(Collection, EqualFindingsOfManyProcessesAreOne) {
  const Finding A = sample("far_write", 10), B = sample("far_write", 11);
  ASSERT_EQ(A.Items, 512U);
  const std::string Again = jsonOfRepeat(A.Id, A.Fingerprint, 13, 100, 10);
  Collection All =
      collected({jsonOf(A) + Again + jsonOf(B),
                 jsonOf(A) + jsonOf(sample("use_after_free", 10))});
  ASSERT_EQ(All.Findings.size(), 2U);
  EXPECT_EQ(All.Findings[0].Launches, 4U);
  EXPECT_EQ(All.Findings[0].Items, 3 * 512U + 100);
  EXPECT_EQ(All.Findings[0].Processes, 3U);
  EXPECT_EQ(All.Findings[1].Processes, 1U);
  const std::string Text = textOf(All, TextStyle());
  EXPECT_TRUE(
      has(Text, "  Over all: 1,636 work-items in 4 launches of 3 processes.\n"))
      << Text;
  EXPECT_TRUE(has(Text, "WarpSan: 2 errors. Coverage is unknown")) << Text;
}

TEST(Collection, TwoRecordsOfOneLaunchAreOneLaunch) {
  const Finding A = sample("far_write", 10);
  Collection All = collected(
      {jsonOf(A) + jsonOfRepeat(A.Id, A.Fingerprint, A.Launch.Number, 1, 10) +
       jsonOfRepeat(A.Id, A.Fingerprint, A.Launch.Number + 1, 1, 10) +
       jsonOfRepeat(A.Id, A.Fingerprint, A.Launch.Number + 1, 1, 10)});
  EXPECT_EQ(All.Findings[0].Launches, 2U);
  EXPECT_EQ(All.Findings[0].Items, 515U);
}

TEST(Collection, OnePlaceMayGoWrongInDifferentMemory) {
  Finding A = sample("far_write", 10), B = A;
  B.Root.Arg = 1;
  B.Root.Name = "other";
  Collection All = collected({jsonOf(A) + jsonOf(B)});
  EXPECT_EQ(All.Findings.size(), 2U);
}

TEST(Collection, CallsFromDifferentPlacesAreDifferent) {
  Finding A = sample("cuda_double_free", 10), B = A;
  ASSERT_FALSE(B.Launch.Launched.empty());
  ++B.Launch.Launched.front().Line;
  for (Finding *F : {&A, &B})
    identifyCall(*F, F->Launch.Launched.front(), 0);
  Collection All = collected({jsonOf(A) + jsonOf(B) + jsonOf(A)});
  EXPECT_EQ(All.Findings.size(), 2U);
}

TEST(Collection, MergedReportsCanBeMergedAgain) {
  const std::string File =
      jsonOf(sample("far_write", 10)) + jsonOf(sample("use_after_free", 11));
  Collector Of;
  std::istringstream In(File);
  Of.add(In, "file");
  Of.add(summary());
  const std::string Once = jsonOf(Of.finish());
  EXPECT_EQ(jsonOf(collected({Once})), Once);
  Collection Twice = collected({Once, Once});
  ASSERT_EQ(Twice.Findings.size(), 2U);
  EXPECT_EQ(Twice.Findings[0].Launches, 2U);
  EXPECT_EQ(Twice.Findings[0].Items, 1024U);
  EXPECT_EQ(Twice.Findings[0].Processes, 2U);
  ASSERT_TRUE(Twice.Coverage);
  EXPECT_EQ((*Twice.Coverage)[Counter::launches], 10U);
}

TEST(Collection, SummariesAreAddedUpOverManyLinesOrOne) {
  Summary Second = summary();
  Second.ExitCode = 3;
  Collection All =
      collected({summaryJson(summary()), summaryJson(Second, true)});
  ASSERT_TRUE(All.Coverage);
  EXPECT_EQ(All.Coverage->Processes, 2U);
  EXPECT_EQ(All.Coverage->Executables, std::vector<std::string>{"tuner"});
  EXPECT_EQ(All.Coverage->ExitCode, 3);
  ASSERT_EQ(All.Coverage->Gaps.size(), 1U);
  EXPECT_EQ(All.Coverage->Gaps[0].Launches, 24U);
}

/// What only a summary knows is no success.
TEST(Collection, ErrorsThatAreNotToldInFullAreCounted) {
  Summary Sum = summary();
  Sum.Findings = {
      {"ws-0000010000000000", "CopyTile", "null pointer: read", 1, 1}};
  Collection All = collected({summaryJson(Sum)});
  ASSERT_EQ(All.Untold.size(), 1U);
  EXPECT_TRUE(
      has(textOf(All, TextStyle()), "null pointer: read  ws-0000010000000000"));
  EXPECT_TRUE(has(junitOf(All), "<failure message=\"null pointer: read\""));
  EXPECT_EQ(nlohmann::json::parse(
                sarifOf(All, "/"))["runs"][0]["results"][0]["ruleId"],
            "details_unavailable");
  All = collected({jsonOfRepeat("ws-0000020000000000", "", 1, 7, 4)});
  ASSERT_EQ(All.Untold.size(), 1U);
  EXPECT_TRUE(has(junitOf(All), "ws-0000020000000000"));
  EXPECT_EQ(collected({jsonOf(All)}).Untold.size(), 1U);
}

TEST(Collection, WhatCannotBeReadIsSaidWithItsLine) {
  std::vector<std::string> Problems;
  const Finding A = sample("far_write", 10);
  Collection All =
      collected({jsonOf(A) + "\n\nnonsense\n" +
                 jsonOf(sample("use_after_free", 10)).substr(0, 90)},
                &Problems);
  EXPECT_EQ(All.Findings.size(), 1U);
  ASSERT_EQ(Problems.size(), 2U);
  EXPECT_EQ(Problems[0], "file0:4: not JSON (byte 2).");
  EXPECT_EQ(Problems[1], "file0:5: not JSON (byte 91).");
  std::string Many;
  for (int I = 0; I < 1000; ++I)
    Many += "nonsense\n";
  // A file of some other kind.
  collected({"\n" + Many}, &Problems);
  ASSERT_EQ(Problems.size(), 1U);
  EXPECT_EQ(Problems[0], "file0:2: not JSON (byte 2); give files of "
                         "--findings_file or --summary_file.");
  collected({jsonOf(A) + "\n" + Many}, &Problems);
  ASSERT_EQ(Problems.size(), 11U);
  EXPECT_EQ(Problems[10], "file0: 990 more lines cannot be read.");
}

TEST(Collection, NothingIsNoErrorsButNotKnown) {
  EXPECT_EQ(textOf(collected({""}), TextStyle()),
            "WarpSan: no errors. Coverage is unknown: no summary was "
            "read.\n");
}
