//===- test/report/pages.cpp - pages to test with -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/pages.h"

#include "test/report/samples.h"

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
  counter(Sum, Counter::launches_checked) = 38;
  counter(Sum, Counter::accesses_proven) = 1121;
  counter(Sum, Counter::accesses_checked) = 83;
  return Sum;
}

static Summary withGaps() {
  Summary Sum = covered();
  counter(Sum, Counter::kernels_twin) = 17;
  counter(Sum, Counter::launches) = 44;
  counter(Sum, Counter::launches_watched) = 4;
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

static void spoilPlaces(std::vector<SourcePlace> &Places,
                        const std::string &Text) {
  for (SourcePlace &Place : Places) {
    Place.File = Text + "1";
    Place.Function = Text + "2";
  }
}

static void spoilFrames(std::vector<HostFrame> &Frames,
                        const std::string &Text) {
  if (Frames.empty())
    Frames.resize(2);
  for (HostFrame &Frame : Frames) {
    Frame.Function = Text + "3";
    Frame.File = Text + "4";
    Frame.Module = Text + "5";
  }
}

void samples::spoil(Finding &F, const std::string &Text) {
  F.Id = Text + "6";
  F.Kernel = Text + "7";
  if (!F.Call.empty())
    F.Call = Text + "8";
  F.Site.Space = F.Site.Builtin = F.Site.Type = F.Site.Member = Text + "9";
  spoilPlaces(F.Site.At, Text);
  spoilPlaces(F.Root.Declared, Text);
  spoilPlaces(F.Root.Ended, Text);
  F.Root.Name = F.Root.Type = Text + "10";
  if (F.Arg)
    F.Arg->Name = F.Arg->Type = F.Arg->Kind = Text + "11";
  F.Memory.CreatedBy = F.Memory.ReleasedBy = Text + "12";
  spoilFrames(F.Memory.Created, Text);
  spoilFrames(F.Memory.Released, Text);
  spoilFrames(F.Launch.Launched, Text);
  F.Launch.LaunchedBy = F.Launch.Device = Text + "13";
  for (Neighbour &Near : F.Memory.Near) {
    Near.CreatedBy = Text + "14";
    spoilFrames(Near.Created, Text);
  }
  if (F.Excerpt)
    for (std::string &Line : F.Excerpt->Lines)
      Line = Text + "15\t" + Text;
  if (F.Canary)
    F.Canary->Why = Text + "16";
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

static Collection hostileOnes() {
  const std::string Text =
      "</script></style></title><img src=x onerror=alert()>"
      "\"'`&amp;<!--]]>{{\x01\x1b[2J\x7f\xff\xE2\x80\xAE";
  Collection All = everything();
  for (CollectedFinding &Of : All.Findings)
    spoil(Of.First, Text);
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
