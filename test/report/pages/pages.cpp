//===- test/report/pages/pages.cpp - pages to test with -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/pages/pages.h"

#include "test/report/samples/samples.h"

#include <stdexcept>

using namespace warpsan;
using namespace warpsan::samples;

static uint64_t &counter(Summary &Sum, Counter Which) {
  return Sum.Counters[static_cast<uint32_t>(Which)];
}

Summary samples::covered() {
  Summary Sum;
  Sum.Processes = 1;
  counter(Sum, Counter::programs) = 4;
  counter(Sum, Counter::kernels_launched) = 19;
  counter(Sum, Counter::kernels_twin) = 19;
  counter(Sum, Counter::kernels_proven) = 11;
  counter(Sum, Counter::launches) = 38;
  counter(Sum, Counter::launches_twin) = 17;
  counter(Sum, Counter::launches_proven) = 21;
  counter(Sum, Counter::launches_covered) = 38;
  counter(Sum, Counter::accesses_proven) = 1121;
  counter(Sum, Counter::accesses_checked) = 83;
  return Sum;
}

static Summary withGaps() {
  Summary Sum = covered();
  counter(Sum, Counter::kernels_twin) = 17;
  counter(Sum, Counter::launches) = 44;
  counter(Sum, Counter::launches_canary_guarded) = 4;
  counter(Sum, Counter::accesses_untraced) = 3;
  Sum.Gaps = {
      {"kernel fft_64", "warpsan-clc: unknown builtin 'foo' at fft.cl:12", 2},
      {"kernel radix_sort", "built from a binary with no source", 4}};
  return Sum;
}

CollectedFinding samples::collected(const std::string &Name) {
  for (const Sample &S : all())
    if (Name == S.Name) {
      Finding F = S.Of.finding();
      const uint64_t Launches = F.Call.empty() ? 3 : 1;
      const uint64_t Items = F.Items * Launches;
      return {std::move(F), Launches, Items, 1};
    }
  throw std::logic_error("there is no sample " + Name);
}

static Collection everything() {
  Collection All;
  for (const Sample &S : all())
    All.Findings.push_back(collected(S.Name));
  All.Findings.front().Processes = 2;
  All.Coverage = withGaps();
  All.Files = {"findings.jsonl", "summary.json"};
  return All;
}

/// Nothing of what is in them may become a part of the page.
static Collection hostileOnes() {
  Collection All = everything();
  const std::string Text = hostileText();
  for (CollectedFinding &Of : All.Findings) {
    Of.First = hostile(Of.First);
    Of.First.Id += Text;
  }
  All.Coverage->Gaps = {{"kernel " + Text, Text, 3}, {Text, Text, 0}};
  All.Files = {Text, "/" + Text};
  return All;
}

static Collection few(const Summary &Coverage) {
  Collection All;
  for (const char *Name : {"far_write", "svm_into_another", "cuda_argument"})
    All.Findings.push_back(collected(Name));
  All.Coverage = Coverage;
  All.Files = {"findings.jsonl", "summary.json"};
  return All;
}

std::vector<Page> samples::pages() {
  Collection NoErrors, Unknown, Nothing, Gaps, Lost;
  NoErrors.Coverage = covered();
  Nothing.Coverage.emplace();
  Gaps.Coverage = withGaps();
  Lost.Coverage = covered();
  counter(*Lost.Coverage, Counter::records_lost) = 2;
  return {{"everything", everything()},
          {"hostile", hostileOnes()},
          {"few", few(withGaps())},
          {"no_errors", NoErrors},
          {"unknown", Unknown},
          {"nothing_checked", Nothing},
          {"gaps", Gaps},
          {"lost", Lost}};
}
