//===- test/unit/summary_test.cpp - the closing summary -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/status.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace warpsan;

namespace {

Summary run(uint64_t Programs, uint64_t Instrumented, uint64_t Kernels,
            uint64_t Launches, uint64_t Twin) {
  Summary Sum;
  Sum.Processes = 1;
  auto Set = [&Sum](Counter Which, uint64_t Value) {
    Sum.Counters[static_cast<uint32_t>(Which)] = Value;
  };
  Set(Counter::programs, Programs);
  Set(Counter::programs_launched, Launches ? Programs : 0);
  Set(Counter::programs_instrumented, Instrumented);
  Set(Counter::kernels_created, Kernels);
  Set(Counter::kernels_launched, Kernels);
  Set(Counter::launches, Launches);
  Set(Counter::launches_twin, Twin);
  return Sum;
}

} // namespace

TEST(Summary, AllTwinsIsOneLine) {
  Summary Sum = run(4, 4, 8, 45, 45);
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: 45 launches of 8 kernels, all ran as instrumented twins. "
            "(4 programs, 4 instrumented)\n");
  EXPECT_EQ(coverageProblem(Sum), "");
}

TEST(Summary, OneOfEachIsSingular) {
  EXPECT_EQ(summaryText(run(1, 1, 1, 1, 1)),
            "WarpSan: 1 launch of 1 kernel, it ran as an instrumented twin. "
            "(1 program, 1 instrumented)\n");
}

TEST(Summary, ProgramsThatNothingWasLaunchedFromAreSaid) {
  Summary Sum = run(37, 34, 36, 46, 46);
  Sum.Counters[static_cast<uint32_t>(Counter::programs_launched)] = 34;
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: 46 launches of 36 kernels, all ran as instrumented "
            "twins. (37 programs, 34 launched from, 34 instrumented)\n");
}

TEST(Summary, GapsAreListedLongestFirst) {
  Summary Sum = run(3, 1, 3, 1045, 1030);
  Sum.Gaps = {{"fft_64", "unknown builtin 'foo' at fft.cl:12", 3},
              {"radix_sort", "built from a foreign binary", 12},
              {"never", "no source", 0}};
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: 1,030 of 1,045 launches ran as instrumented twins "
            "(3 programs, 1 instrumented); these did not:\n"
            "           radix_sort   built from a foreign binary          "
            "12 launches\n"
            "           fft_64       unknown builtin 'foo' at fft.cl:12   "
            "3 launches\n"
            "           never        no source                            "
            "not launched\n");
  EXPECT_EQ(coverageProblem(Sum),
            "15 of 1,045 launches ran without an instrumented twin");
}

TEST(Summary, NoTwinAtAllIsSaid) {
  std::string Text = summaryText(run(1, 0, 1, 5, 0));
  EXPECT_NE(Text.find("none of 5 launches ran as instrumented twins"),
            std::string::npos)
      << Text;
}

TEST(Summary, NothingCheckedNamesTheCause) {
  Summary NotLoaded;
  EXPECT_TRUE(summaryText(NotLoaded).starts_with(
      "WarpSan: nothing was checked: the program did "
      "not load the layer."));
  EXPECT_EQ(coverageProblem(NotLoaded), "the program did not load the layer");

  EXPECT_EQ(summaryText(run(0, 0, 0, 0, 0)),
            "WarpSan: nothing was checked: the program built no OpenCL "
            "program. (require_coverage=1 makes this an error)\n");

  Summary NoLaunch = run(2, 2, 0, 0, 0);
  EXPECT_NE(summaryText(NoLaunch).find("launched no kernel"),
            std::string::npos);
  EXPECT_EQ(coverageProblem(NoLaunch), "no kernel was launched");
}

TEST(Summary, LongListsAreCutAndSaySo) {
  Summary Sum = run(50, 0, 50, 50, 0);
  for (int I = 0; I < 50; ++I)
    Sum.Gaps.push_back({"k" + std::to_string(I), "no source", 1});
  Sum.GapsLost = 7;
  std::string Text = summaryText(Sum);
  EXPECT_EQ(std::count(Text.begin(), Text.end(), '\n'), 1 + 20 + 2);
  EXPECT_NE(Text.find("and 30 more (summary_file has all)"), std::string::npos);
  EXPECT_NE(Text.find("and 7 more that were not recorded"), std::string::npos);
}

TEST(Summary, NothingInANameMovesTheCursor) {
  Summary Sum = run(1, 0, 1, 1, 0);
  Sum.Gaps = {
      {"a\033[2Jb\x7F", "line\nnext\ttab \xC2\x9B \xFF caf\xC3\xA9", 1}};
  std::string Text = summaryText(Sum);
  EXPECT_NE(Text.find("a\\x1B[2Jb\\x7F"), std::string::npos) << Text;
  EXPECT_NE(Text.find("line\\nnext\\ttab \\xC2\\x9B \\xFF caf\xC3\xA9"),
            std::string::npos)
      << Text;
}

TEST(Summary, VerbosityTwoSaysWhereTheTimeWent) {
  Summary Sum = run(1, 1, 1, 1, 1);
  Sum.Counters[static_cast<uint32_t>(Counter::build_ns)] = 1234567890;
  EXPECT_NE(summaryText(Sum, 2).find("1,235 ms in the program's own builds"),
            std::string::npos);
}

TEST(Summary, SeveralProcessesAreSaid) {
  Summary Sum = run(1, 1, 1, 1, 1);
  Sum.Processes = 3;
  EXPECT_NE(summaryText(Sum).find("in 3 processes"), std::string::npos);
}

TEST(SummaryJson, HasEveryFieldOfTheSchema) {
  Summary Sum = run(4, 3, 8, 45, 43);
  Sum.Gaps = {{"kernel \xFF", "no source", 2}};
  Sum.GapsLost = 1;
  Sum.ExitCode = 3;
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["schema"], "warpsan-summary/1");
  EXPECT_EQ(Json["layer_loaded"], true);
  EXPECT_EQ(Json["processes"], 1);
  EXPECT_EQ(Json["programs"]["seen"], 4);
  EXPECT_EQ(Json["programs"]["instrumented"], 3);
  EXPECT_EQ(Json["kernels"]["created"], 8);
  EXPECT_EQ(Json["kernels"]["launched"], 8);
  EXPECT_EQ(Json["kernels"]["twin"], 0);
  EXPECT_EQ(Json["launches"]["seen"], 45);
  EXPECT_EQ(Json["launches"]["twin"], 43);
  EXPECT_EQ(Json["launches"]["native"], 2);
  EXPECT_EQ(Json["time"]["build_ns"], 0);
  EXPECT_EQ(Json["time"]["twin_wait_ns"], 0);
  EXPECT_EQ(Json["gaps"][0]["subject"], "kernel \xEF\xBF\xBD");
  EXPECT_EQ(Json["gaps"][0]["launches"], 2);
  EXPECT_EQ(Json["gaps_lost"], 1);
  EXPECT_EQ(Json["exit"]["code"], 3);
}

TEST(SummaryJson, EndingIsASignalOrUnknown) {
  Summary Sum;
  EXPECT_TRUE(nlohmann::json::parse(summaryJson(Sum))["exit"].is_null());
  Sum.Signal = 11;
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["exit"]["signal"], 11);
  EXPECT_EQ(Json["layer_loaded"], false);
}
