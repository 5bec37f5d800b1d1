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

void set(Summary &Sum, Counter Which, uint64_t Value) {
  Sum.Counters[static_cast<uint32_t>(Which)] = Value;
}

/// A run of which every twin has checks.
Summary run(uint64_t Programs, uint64_t Instrumented, uint64_t Kernels,
            uint64_t Launches, uint64_t Twin) {
  Summary Sum;
  Sum.Processes = 1;
  set(Sum, Counter::programs, Programs);
  set(Sum, Counter::programs_launched, Launches ? Programs : 0);
  set(Sum, Counter::programs_instrumented, Instrumented);
  set(Sum, Counter::kernels_created, Kernels);
  set(Sum, Counter::kernels_launched, Kernels);
  set(Sum, Counter::kernels_twin, Launches == Twin ? Kernels : Instrumented);
  set(Sum, Counter::launches, Launches);
  set(Sum, Counter::launches_twin, Twin);
  set(Sum, Counter::launches_covered, Twin);
  return Sum;
}

Summary unchecked(uint64_t Programs, uint64_t Instrumented, uint64_t Kernels,
                  uint64_t Launches, uint64_t Twin) {
  Summary Sum = run(Programs, Instrumented, Kernels, Launches, Twin);
  set(Sum, Counter::launches_covered, 0);
  return Sum;
}

/// Two errors in one kernel.
Summary bad() {
  Summary Sum = run(2, 2, 19, 38, 38);
  Sum.Findings = {
      {"ws-3f9c212d7f1633a7", "CopyTile",
       "out-of-bounds write, 3,588 bytes past the end of 'dest'", 3, 1536,
       false, "", false, "copy.cl:41:26"},
      {"ws-0000010000000000", "CopyTile", "null pointer: read of 'a'", 1, 1}};
  set(Sum, Counter::findings, 2);
  set(Sum, Counter::finding_launches, 4);
  set(Sum, Counter::finding_work_items, 1537);
  set(Sum, Counter::kernels_proven, 12);
  set(Sum, Counter::accesses_proven, 1121);
  set(Sum, Counter::accesses_checked, 83);
  return Sum;
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

} // namespace

TEST(Summary, NoErrorsIsOneLine) {
  Summary Sum = run(4, 4, 8, 45, 45);
  EXPECT_EQ(summaryText(Sum), "WarpSan: no errors. 8 of 8 kernels covered, 45 "
                              "launches covered.\n");
  EXPECT_EQ(coverageProblem(Sum), "");
  EXPECT_FALSE(hasErrors(Sum));
}

TEST(Summary, OneOfEachIsSingular) {
  EXPECT_EQ(summaryText(run(1, 1, 1, 1, 1)),
            "WarpSan: no errors. 1 of 1 kernel covered, 1 launch covered.\n");
}

TEST(Summary, ErrorsAreListedWithWhatWasCovered) {
  EXPECT_TRUE(hasErrors(bad()));
  EXPECT_EQ(
      summaryText(bad(), 1, {"out.jsonl"}),
      "WarpSan: 2 errors in 1 kernel. Full report: out.jsonl\n"
      "copy.cl:41:26: error: out-of-bounds write, 3,588 bytes past the end of "
      "'dest' [ws-3f9c212d7f1633a7] kernel CopyTile, 1,536 work-items in 3 "
      "launches\n"
      "error: null pointer: read of 'a' [ws-0000010000000000] kernel CopyTile, "
      "1 "
      "work-item in 1 launch\n"
      "  kernels    19 of 19 covered, 12 proven entirely when last launched\n"
      "  launches   38: 38 covered, 0 not covered\n"
      "  accesses   1,204: 1,121 proven, 83 checked\n");
}

TEST(Summary, CallsAreNoKernels) {
  Summary Sum = bad();
  Sum.Findings = {{"ws-0000010000000000", "clReleaseMemObject",
                   "over-release of a buffer", 1, 0},
                  {"ws-0000020000000000", "clSVMFree",
                   "double free of an allocation", 3, 0}};
  for (Summary::FindingLine &Line : Sum.Findings)
    Line.Call = true;
  const std::string Text = summaryText(Sum);
  EXPECT_TRUE(has(Text, "error: over-release of a buffer [ws-0000010000000000] "
                        "clReleaseMemObject, once\n"))
      << Text;
  EXPECT_TRUE(has(Text, "[ws-0000020000000000] clSVMFree, 3 times\n")) << Text;
  EXPECT_TRUE(has(Text, "WarpSan: 2 errors in 2 calls.")) << Text;
  Sum.Findings.push_back(bad().Findings.front());
  EXPECT_TRUE(has(summaryText(Sum), "3 errors in 1 kernel and 2 calls."));
}

TEST(Summary, NoKernelProvenIsNotSaid) {
  Summary Sum = bad();
  set(Sum, Counter::kernels_proven, 0);
  EXPECT_TRUE(has(summaryText(Sum), "  kernels    19 of 19 covered\n"));
}

TEST(Summary, ErrorsBeyondTheTableAreCounted) {
  Summary Sum = bad();
  Sum.FindingsLost = 5;
  std::string Text = summaryText(Sum);
  EXPECT_TRUE(has(Text, "7 errors in 1 kernel.\n")) << Text;
  EXPECT_TRUE(has(Text, "and 5 more")) << Text;
}

TEST(Summary, FailedChecksThatNobodyCanTellOfAreNoSuccess) {
  for (Counter Which :
       {Counter::records_bad, Counter::records_lost, Counter::records_unread}) {
    Summary Sum = run(1, 1, 1, 1, 1);
    set(Sum, Which, 1234);
    EXPECT_TRUE(hasErrors(Sum));
    std::string Text = summaryText(Sum);
    EXPECT_FALSE(has(Text, "no errors")) << Text;
    EXPECT_TRUE(has(Text, "1,234 ")) << Text;
  }
  Summary Sum = bad();
  set(Sum, Counter::records_bad, 2);
  EXPECT_TRUE(has(summaryText(Sum),
                  "2 error records are unreadable: a kernel overwrote them"));
}

TEST(Summary, AccessesThatCouldNotBeTracedAreSaid) {
  Summary Sum = run(1, 1, 1, 1, 1);
  set(Sum, Counter::accesses_checked, 1000);
  set(Sum, Counter::accesses_untraced, 7);
  EXPECT_TRUE(has(summaryText(Sum), "7 of 1,007 accesses were not checked"));
}

TEST(Summary, PointersThatWereNotFollowedAreSaid) {
  Summary Sum = run(1, 1, 1, 5, 5);
  EXPECT_FALSE(has(summaryText(Sum), "host pointers"));
  set(Sum, Counter::launches_partial, 5);
  EXPECT_TRUE(has(summaryText(Sum),
                  "In 5 launches pointers loaded from memory, or marked "
                  "objects, were not checked: no system SVM, or shared "
                  "program-scope variables."));
  EXPECT_EQ(nlohmann::json::parse(summaryJson(Sum))["launches"]["partial"], 5);
}

TEST(Summary, BarriersThatMayBeDivergentAreSaid) {
  Summary Sum = run(1, 1, 1, 5, 5);
  EXPECT_FALSE(has(summaryText(Sum), "barrier"));
  set(Sum, Counter::launches_divergent, 4);
  EXPECT_TRUE(has(summaryText(Sum),
                  "In 4 launches a barrier may not be reached by all "
                  "work-items of a work-group, so nothing was proven and every "
                  "access was checked"));
  const std::string Json = summaryJson(Sum);
  EXPECT_EQ(nlohmann::json::parse(Json)["launches"]["divergent"], 4);
  EXPECT_EQ(readSummary(Json).Sum[Counter::launches_divergent], 4);
}

TEST(Summary, WhatCanariesWatchedIsSaid) {
  for (unsigned Checked : {0U, 1U}) {
    Summary Sum = run(3, Checked, 3, 1045, Checked);
    EXPECT_FALSE(has(summaryText(Sum), "canaries"));
    set(Sum, Counter::launches_canary_guarded, 1001);
    EXPECT_TRUE(has(summaryText(Sum), "1,001 launches without checks were "
                                      "guarded by canaries"))
        << summaryText(Sum);
    set(Sum, Counter::launches_canary_guarded, 1);
    EXPECT_TRUE(has(summaryText(Sum), "1 launch without checks was guarded"));
    EXPECT_EQ(
        nlohmann::json::parse(summaryJson(Sum))["launches"]["canary_guarded"],
        1);
  }
}

TEST(Summary, WorkItemsThatAreNotKnownAreNotCounted) {
  Summary Sum = bad();
  Sum.Findings.front().WorkItems = 0;
  EXPECT_FALSE(has(summaryText(Sum), " 0 work-items")) << summaryText(Sum);
}

TEST(Summary, GapsAreListedLongestFirst) {
  Summary Sum = run(3, 1, 3, 1045, 1030);
  Sum.Gaps = {{"fft_64", "unknown builtin 'foo' at fft.cl:12", 3},
              {"radix_sort", "built from a foreign binary", 12},
              {"never", "no source", 0}};
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: no errors found, but 15 of 1,045 launches ran without "
            "checks, and 2 of 3 kernels were not covered:\n"
            "           radix_sort   built from a foreign binary          "
            "12 launches\n"
            "           fft_64       unknown builtin 'foo' at fft.cl:12   "
            "3 launches\n"
            "           never        no source                            "
            "not launched\n");
  EXPECT_EQ(coverageProblem(Sum),
            "15 of 1,045 launches were neither checked nor proven");
}

TEST(Summary, NoTwinAtAllIsSaid) {
  EXPECT_EQ(summaryText(unchecked(1, 0, 1, 5, 0)),
            "WarpSan: nothing was checked: none of 5 launches ran as "
            "instrumented twins (1 program, 0 instrumented).\n");
}

TEST(Summary, TwinsWithoutChecksAreNoSuccess) {
  EXPECT_EQ(summaryText(unchecked(37, 34, 36, 46, 46)),
            "WarpSan: nothing was checked: checks=none; 46 of 46 launches ran "
            "as twins without checks (37 programs, 34 instrumented).\n");
  EXPECT_TRUE(has(summaryText(unchecked(1, 1, 1, 1, 1)),
                  "checks=none; 1 of 1 launch ran as a twin without checks ("));
  EXPECT_EQ(coverageProblem(unchecked(1, 1, 1, 1, 1)),
            "1 of 1 launch was neither checked nor proven");
}

TEST(Summary, RecordedAccessesAreNotChecked) {
  Summary Sum = unchecked(1, 1, 1, 5, 5);
  set(Sum, Counter::launches_trace, 5);
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: nothing was checked: scheme=trace records accesses and "
            "checks none.\n");
  EXPECT_EQ(coverageProblem(Sum),
            "5 of 5 launches were neither checked nor proven");
  EXPECT_EQ(nlohmann::json::parse(summaryJson(Sum))["launches"]["trace"], 5);
  Sum.Gaps = {{"kernel g", "no source", 1}};
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: nothing was checked: scheme=trace records accesses and "
            "checks none.\n"
            "         These could not be instrumented:\n"
            "           kernel g   no source   1 launch\n");
}

/// No program is launched from while no twins are wanted.
TEST(Summary, NativeKernelsOnRequestAreNoMissingTwins) {
  Summary Sum = unchecked(1, 0, 1, 1, 0);
  set(Sum, Counter::programs_launched, 0);
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: nothing was checked: launch=native; 1 launch ran the "
            "native kernel (1 program).\n");
  Sum = unchecked(2, 0, 2, 5, 0);
  set(Sum, Counter::programs_launched, 0);
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: nothing was checked: launch=native; 5 launches ran "
            "native kernels (2 programs).\n");
  // Kernels that WarpSan has not seen created are of no program.
  Sum.Gaps = {{"kernel of unknown origin", "unseen", 5}};
  EXPECT_FALSE(has(summaryText(Sum), "launch=native"));
}

TEST(Summary, ProgramsThatNothingWasLaunchedFromAreSaid) {
  Summary Sum = unchecked(37, 34, 36, 46, 46);
  set(Sum, Counter::programs_launched, 34);
  EXPECT_TRUE(has(summaryText(Sum),
                  "(37 programs, 34 launched from, 34 instrumented)"));
}

TEST(Summary, NothingCheckedNamesTheCause) {
  Summary NotLoaded;
  EXPECT_TRUE(summaryText(NotLoaded).starts_with(
      "WarpSan: nothing was checked: the program did "
      "not load the layer."));
  EXPECT_EQ(coverageProblem(NotLoaded), "the program did not load the layer");

  EXPECT_EQ(summaryText(run(0, 0, 0, 0, 0)),
            "WarpSan: nothing was checked: the program built no OpenCL "
            "program. With require_coverage=1 this is an error. `warpsan "
            "doctor` lists drivers and devices.\n");

  Summary NoDriver;
  NoDriver.NoDriver = true;
  EXPECT_TRUE(summaryText(NoDriver).starts_with(
      "WarpSan: nothing was checked: there is no OpenCL driver."));
  EXPECT_TRUE(has(summaryText(NoDriver), "Neither /etc/OpenCL/vendors nor"));
  NoDriver.DriversIn = "OCL_ICD_VENDORS=/no\033such";
  EXPECT_EQ(summaryText(NoDriver),
            "WarpSan: nothing was checked: there is no OpenCL driver.\n"
            "           OCL_ICD_VENDORS=/no\\x1Bsuch has no .icd file; unset "
            "it or name a driver's file.\n");
  EXPECT_EQ(coverageProblem(NoDriver), "there is no OpenCL driver");

  Summary Failed = run(0, 0, 0, 0, 0);
  set(Failed, Counter::programs_failed, 2);
  EXPECT_TRUE(summaryText(Failed).starts_with(
      "WarpSan: nothing was checked: no OpenCL program was built: 2 builds "
      "failed"))
      << summaryText(Failed);

  Summary NoLaunch = run(2, 2, 0, 0, 0);
  EXPECT_TRUE(has(summaryText(NoLaunch), "launched no kernel"));
  EXPECT_EQ(coverageProblem(NoLaunch), "no kernel was launched");
}

TEST(Summary, RefusedLaunchesAreNoMissingLaunches) {
  Summary Sum = run(1, 0, 0, 0, 0);
  set(Sum, Counter::programs_launched, 1);
  Sum.Gaps = {{"kernel k", "refused: no source", 2}};
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: nothing was checked: all 2 launches were refused, since "
            "they could not be checked (1 program, 0 instrumented).\n"
            "           kernel k   refused: no source   2 launches\n");
  EXPECT_EQ(coverageProblem(Sum), "all 2 launches were refused");
  Sum.Gaps[0].Launches = 1;
  EXPECT_TRUE(has(summaryText(Sum), "the only launch was refused, since it "
                                    "could not be checked"));
  EXPECT_EQ(coverageProblem(Sum), "the only launch was refused");
}

TEST(Summary, LongListsAreCutAndSaySo) {
  Summary Sum = unchecked(50, 0, 50, 50, 0);
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

TEST(Summary, NothingInANameTurnsTheTextAround) {
  Summary Sum = run(1, 0, 1, 1, 0);
  Sum.Gaps = {{"a\xD8\x9C"
               "b",
               "\xE2\x80\xAE \xE2\x81\xA6 \xD8\x9D", 1}};
  const std::string Text = summaryText(Sum);
  EXPECT_NE(Text.find("a\\xD8\\x9Cb"), std::string::npos) << Text;
  EXPECT_NE(Text.find("\\xE2\\x80\\xAE \\xE2\\x81\\xA6 \xD8\x9D"),
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
  EXPECT_TRUE(has(summaryText(Sum), "in 3 processes"));
}

/// Of 45 launches of 8 kernels, 5 of 2 kernels are not wanted.
static Summary chosen() {
  Summary Sum = run(4, 4, 8, 45, 40);
  set(Sum, Counter::kernels_twin, 6);
  set(Sum, Counter::kernels_excluded, 2);
  set(Sum, Counter::launches_excluded, 5);
  Sum.Gaps = {{"kernel a", "skip_kernels=a*", 2, GapKind::Excluded},
              {"kernel b", "kernels=c*", 3, GapKind::Excluded}};
  return Sum;
}

TEST(Summary, WhatIsLeftOutOnRequestIsNoGap) {
  Summary Sum = chosen();
  const std::string Text = summaryText(Sum);
  EXPECT_TRUE(has(Text, "WarpSan: no errors. 6 of 6 kernels covered, 40 "
                        "launches covered.\n"))
      << Text;
  EXPECT_TRUE(has(Text,
                  "Excluded by request: 5 launches of 2 kernels:\n"
                  "           kernel b   kernels=c*        3 launches\n"));
  EXPECT_EQ(coverageProblem(Sum), "");
  // A gap beside it is one.
  Sum.Gaps.push_back({"kernel g", "no source", 1});
  set(Sum, Counter::launches, 46);
  EXPECT_EQ(coverageProblem(Sum),
            "1 of 41 launches was neither checked nor proven");
  EXPECT_TRUE(has(summaryText(Sum), "but 1 of 41 launches ran without checks"));
}

TEST(Summary, NothingLeftToCheckIsSaid) {
  Summary Sum = unchecked(1, 0, 2, 5, 0);
  set(Sum, Counter::kernels_excluded, 2);
  set(Sum, Counter::launches_excluded, 5);
  EXPECT_TRUE(has(summaryText(Sum),
                  "WarpSan: nothing was checked: kernels= and "
                  "skip_kernels= exclude every launched "
                  "kernel.\n"));
  EXPECT_NE(coverageProblem(Sum), "");
}

TEST(Summary, WhatIsNotInTheSampleIsSaidAndNoGap) {
  Summary Sum = run(1, 1, 1, 1000, 10);
  set(Sum, Counter::kernels_twin, 1);
  set(Sum, Counter::launches_sampled_out, 990);
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: no errors. 1 of 1 kernel covered, 10 launches covered.\n"
            "         990 launches were not checked: not in the sample "
            "(sample=).\n");
  EXPECT_EQ(coverageProblem(Sum), "");
  EXPECT_EQ(nlohmann::json::parse(summaryJson(Sum))["launches"]["sampled_out"],
            990);
}

TEST(Summary, WhatIsCheckedAgainstTheRequestIsSaid) {
  Summary Sum = run(1, 1, 1, 1, 1);
  Sum.Gaps = {{"kernel bump", "skip_kernels=bump", 1, GapKind::Forced}};
  EXPECT_TRUE(has(summaryText(Sum), "Checked despite kernels="));
  EXPECT_FALSE(has(summaryText(Sum), "could not be instrumented"));
  EXPECT_FALSE(has(summaryText(run(1, 1, 1, 1, 1)), "request"));
}

TEST(Summary, SuppressedCallsAreNoLaunches) {
  Summary Sum = run(1, 1, 1, 5, 5);
  nameSuppressions(Sum, "my.supp",
                   {{3, "call=a", 1, 0, 1}, {4, "id=b", 3, 4, 2}});
  EXPECT_TRUE(has(summaryText(Sum),
                  "         1 error in 1 call suppressed by my.supp:3"));
  EXPECT_TRUE(
      has(summaryText(Sum),
          "         3 errors in 4 launches and 2 calls suppressed by my.supp"));
  EXPECT_EQ(nlohmann::json::parse(summaryJson(Sum))["suppressions"][1]["calls"],
            2);
}

TEST(Summary, SuppressionsAreCountedAndTheIdleNamed) {
  Summary Sum = run(1, 1, 1, 5, 5);
  nameSuppressions(Sum, "my.supp",
                   {{3, "id=\x1b", 2, 4}, {7, "kernel=old*", 0, 0}});
  EXPECT_EQ(summaryText(Sum),
            "WarpSan: no errors except 2 suppressed. 1 of 1 kernel "
            "covered, 5 launches covered.\n"
            "         2 errors in 4 launches suppressed by my.supp:3 "
            "(id=\\x1B)\n"
            "         Suppresses nothing: my.supp:7 (kernel=old*)\n");
  EXPECT_FALSE(hasErrors(Sum));
  auto Rows = nlohmann::json::parse(summaryJson(Sum))["suppressions"];
  ASSERT_EQ(Rows.size(), 2U);
  EXPECT_EQ(Rows[0]["line"], 3);
  EXPECT_EQ(Rows[0]["findings"], 2);
  EXPECT_EQ(Rows[0]["launches"], 4);
  EXPECT_EQ(Rows[1]["text"], "kernel=old*");
  // Many that are of no use are not all listed.
  std::vector<Summary::SuppressionLine> Many;
  for (uint32_t Line = 1; Line <= 30; ++Line)
    Many.push_back({Line, "id=x"});
  nameSuppressions(Sum, "my.supp", Many);
  EXPECT_TRUE(has(summaryText(Sum), "and 9 more"));
}

TEST(Summary, ErrorsThatWereNotReportedInFullAreSaid) {
  Summary Sum = bad();
  EXPECT_TRUE(has(summaryText(Sum), "WarpSan: 2 errors in 1 kernel.\n"));
  set(Sum, Counter::findings_truncated, 1);
  EXPECT_TRUE(has(summaryText(Sum), "WarpSan: 2 errors in 1 kernel, 1 of them "
                                    "not reported in full (max_findings).\n"));
}

TEST(SummaryJson, WhatIsLeftOutHasRowsOfItsOwn) {
  Summary Sum = chosen();
  Sum.Gaps.push_back({"kernel bump", "skip_kernels=bump", 1, GapKind::Forced});
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["launches"]["excluded"], 5);
  EXPECT_EQ(Json["launches"]["native"], 5);
  EXPECT_EQ(Json["kernels"]["excluded"], 2);
  EXPECT_TRUE(Json["gaps"].empty());
  ASSERT_EQ(Json["excluded"].size(), 2U);
  EXPECT_EQ(Json["excluded"][1]["reason"], "kernels=c*");
  EXPECT_EQ(Json["forced"][0]["subject"], "kernel bump");
}

TEST(SummaryJson, HasEveryFieldOfTheSchema) {
  Summary Sum = run(4, 3, 8, 45, 43);
  Sum.Gaps = {{"kernel \xFF", "no source", 2}};
  Sum.GapsLost = 1;
  Sum.ExitCode = 3;
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["schema"], "warpsan-summary/3");
  EXPECT_EQ(Json["layer_loaded"], true);
  EXPECT_EQ(Json["processes"], 1);
  EXPECT_EQ(Json["programs"]["seen"], 4);
  EXPECT_EQ(Json["programs"]["instrumented"], 3);
  EXPECT_EQ(Json["kernels"]["created"], 8);
  EXPECT_EQ(Json["kernels"]["launched"], 8);
  EXPECT_EQ(Json["kernels"]["twin"], 3);
  EXPECT_EQ(Json["launches"]["seen"], 45);
  EXPECT_EQ(Json["launches"]["twin"], 43);
  EXPECT_EQ(Json["launches"]["native"], 2);
  EXPECT_EQ(Json["launches"]["covered"], 43);
  EXPECT_EQ(Json["errors"]["different"], 0);
  EXPECT_TRUE(Json["findings"].empty());
  EXPECT_EQ(Json["time"]["build_ns"], 0);
  EXPECT_EQ(Json["time"]["twin_wait_ns"], 0);
  EXPECT_EQ(Json["gaps"][0]["subject"], "kernel \xEF\xBF\xBD");
  EXPECT_EQ(Json["gaps"][0]["launches"], 2);
  EXPECT_EQ(Json["gaps_lost"], 1);
  EXPECT_EQ(Json["exit"]["code"], 3);
}

TEST(SummaryJson, ErrorsHaveTheirRows) {
  Summary Sum = bad();
  Sum.FindingsLost = 3;
  set(Sum, Counter::accesses_untraced, 4);
  set(Sum, Counter::records_lost, 5);
  set(Sum, Counter::records_bad, 6);
  set(Sum, Counter::records_unread, 7);
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["errors"]["different"], 2);
  EXPECT_EQ(Json["errors"]["launches"], 4);
  EXPECT_EQ(Json["errors"]["work_items"], 1537);
  EXPECT_EQ(Json["errors"]["records_lost"], 5);
  EXPECT_EQ(Json["errors"]["records_bad"], 6);
  EXPECT_EQ(Json["errors"]["records_unread"], 7);
  EXPECT_EQ(Json["kernels"]["proven"], 12);
  EXPECT_EQ(Json["accesses"]["proven"], 1121);
  EXPECT_EQ(Json["accesses"]["checked"], 83);
  EXPECT_EQ(Json["accesses"]["untraced"], 4);
  ASSERT_EQ(Json["findings"].size(), 2U);
  EXPECT_EQ(Json["findings"][0]["id"], "ws-3f9c212d7f1633a7");
  EXPECT_EQ(Json["findings"][0]["kernel"], "CopyTile");
  EXPECT_EQ(Json["findings"][0]["launches"], 3);
  EXPECT_EQ(Json["findings"][0]["work_items"], 1536);
  EXPECT_EQ(Json["findings_lost"], 3);
}

TEST(SummaryText, ACrashIsSaidBesideTheErrors) {
  Summary Sum = bad();
  Sum.Signal = 11;
  const std::string Text = summaryText(Sum);
  EXPECT_TRUE(has(Text, "2 errors in 1 kernel. Then signal 11 (Segmentation "
                        "fault) ended the program.\n"))
      << Text;
  EXPECT_EQ(Text.find("signal 11"), Text.rfind("signal 11")) << Text;
}

TEST(SummaryText, ACrashIsToldWithItsKernels) {
  Summary Sum = run(1, 1, 1, 2, 2);
  Sum.Signal = 11;
  Sum.Running = {{"scan", 2}, {"fill", 1}};
  const std::string Text = summaryText(Sum);
  EXPECT_TRUE(has(Text, "no errors found before the program was ended."))
      << Text;
  EXPECT_TRUE(has(Text, "signal 11 (Segmentation fault) ended the program."));
  EXPECT_TRUE(has(Text, "Not known to have completed, the last one first: "
                        "scan (2 launches), fill."));
  const ReadSummary Read = readSummary(summaryJson(Sum));
  ASSERT_EQ(Read.Sum.Running.size(), 2U);
  EXPECT_EQ(Read.Sum.Running[0].Kernel, "scan");
  EXPECT_EQ(Read.Sum.Running[0].Launches, 2U);
}

TEST(SummaryJson, EndingIsASignalOrUnknown) {
  Summary Sum;
  EXPECT_TRUE(nlohmann::json::parse(summaryJson(Sum))["exit"].is_null());
  Sum.Signal = 11;
  auto Json = nlohmann::json::parse(summaryJson(Sum));
  EXPECT_EQ(Json["exit"]["signal"], 11);
  EXPECT_EQ(Json["layer_loaded"], false);
}

TEST(ReadSummary, IsTheInverseOfWriting) {
  Summary Sum = bad();
  uint64_t Value = 100;
  for (uint64_t &Counter : Sum.Counters)
    Counter = ++Value;
  set(Sum, Counter::launches, 1000);
  set(Sum, Counter::twin_waiting, 0); // of no interest afterwards
  Sum.Processes = 3;
  Sum.Executables = {"tuner", "helper \"x\"\n"};
  Sum.Gaps = {{"kernel k", "no reason", 12},
              {"program 2", "", 0},
              {"kernel l", "skip_kernels=l", 3, GapKind::Excluded},
              {"kernel m", "sample=2", 4, GapKind::Forced}};
  Sum.SuppressionsFile = "known.txt";
  Sum.Suppressions = {{3, "kernel=Copy*", 2, 5},
                      {9, "id=ws-0000000000000000", 0, 0}};
  Sum.GapsLost = 4;
  Sum.FindingsLost = 5;
  Sum.Findings[1].Cuda = true;
  Sum.Findings[1].Call = true;
  for (int Ending = 0; Ending < 3; ++Ending) {
    Sum.ExitCode = Ending == 1 ? std::optional(-7) : std::nullopt;
    Sum.Signal = Ending == 2 ? std::optional(9) : std::nullopt;
    const ReadSummary Back = readSummary(summaryJson(Sum, Ending == 1));
    EXPECT_EQ(Back.Problem, "");
    EXPECT_EQ(summaryJson(Back.Sum), summaryJson(Sum));
    for (uint32_t I = 0; I < static_cast<uint32_t>(Counter::Count); ++I)
      EXPECT_EQ(Back.Sum.Counters[I], Sum.Counters[I]) << I;
  }
}

TEST(ReadSummary, WhatIsWrongIsSaid) {
  auto Problem = [](const std::string &Text) {
    return readSummary(Text).Problem;
  };
  EXPECT_EQ(Problem(""), "not JSON (byte 1)");
  EXPECT_EQ(Problem("7"), "is no JSON object");
  EXPECT_EQ(Problem("{\"processes\": 1E999}"),
            "has a number that is too large: no double holds it");
  EXPECT_EQ(Problem(R"({"schema": "warpsan-summary/1"})"),
            "'schema' is not warpsan-summary/3");
  const std::string Start = R"({"schema": "warpsan-summary/3", )";
  EXPECT_EQ(Problem(Start + R"("new": 1})"), "");
  EXPECT_EQ(Problem(Start + R"("processes": -1})"),
            "'processes' is not a whole number of 64 bits, not negative");
  EXPECT_EQ(Problem(Start + R"("exit": {"code": 4294967296}})"),
            "'exit.code' is not a whole number of 32 bits");
  EXPECT_EQ(Problem(Start + R"("gaps": [1]})"),
            "'gaps' has an entry that is not an object");
  EXPECT_EQ(Problem(Start + R"("gaps": [{"subject": null}]})"),
            "'gaps.subject' is not a text");
  EXPECT_EQ(Problem(Start + R"("executables": "x"})"),
            "'executables' is not a list of which each entry is right");
}

TEST(AddSummary, TheFirstFailureIsTheEnding) {
  Summary Sum, Good = run(1, 1, 1, 1, 1), Killed = Good, Bad = Good;
  Good.ExitCode = 0;
  Killed.Signal = 9;
  Bad.ExitCode = 3;
  for (const Summary *More : {&Good, &Killed, &Bad})
    addSummary(Sum, *More);
  EXPECT_EQ(Sum.Signal, 9);
  EXPECT_FALSE(Sum.ExitCode);
  EXPECT_EQ(Sum.Processes, 3U);
  EXPECT_EQ(Sum[Counter::launches], 3U);
}
