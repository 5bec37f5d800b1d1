//===- status/summary_json.cpp - the closing summary for programs ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is docs/summary.md. Its name ends in a version: fields may be
// added within a version, never removed or given another meaning.
//
//===----------------------------------------------------------------------===//
#include "status/status.h"

#include <nlohmann/json.hpp>

namespace warpsan {

std::string summaryJson(const Summary &Sum, bool OneLine) {
  using Json = nlohmann::ordered_json;
  Json Gaps = Json::array();
  Json LeftOut = Json::array(), Kept = Json::array();
  Json NotNative = Json::array();
  for (const Summary::GapLine &Line : Sum.Gaps)
    (Line.Kind == GapKind::LeftOut     ? LeftOut
     : Line.Kind == GapKind::Kept      ? Kept
     : Line.Kind == GapKind::NotNative ? NotNative
                                       : Gaps)
        .push_back({{"subject", Line.Subject},
                    {"reason", Line.Reason},
                    {"launches", Line.Launches}});
  Json Findings = Json::array();
  for (const Summary::FindingLine &Line : Sum.Findings)
    Findings.push_back({{"id", Line.Id},
                        {"fingerprint", Line.Fingerprint},
                        {"kernel", Line.Kernel},
                        {"title", Line.Title},
                        {"launches", Line.Launches},
                        {"work_items", Line.WorkItems},
                        {"cuda", Line.Cuda}});
  Json Suppressions = Json::array();
  for (const Summary::SuppressionLine &Line : Sum.Suppressions)
    Suppressions.push_back({{"line", Line.Line},
                            {"text", Line.Text},
                            {"findings", Line.Findings},
                            {"launches", Line.Launches}});
  Json Running = Json::array();
  for (const Summary::RunningLine &Line : Sum.Running)
    Running.push_back({{"kernel", Line.Kernel}, {"launches", Line.Launches}});
  Json Exit;
  if (Sum.ExitCode)
    Exit = {{"code", *Sum.ExitCode}};
  else if (Sum.Signal)
    Exit = {{"signal", *Sum.Signal}};

  Json Root = {
      {"schema", SummarySchema},
      {"warpsan", WARPSAN_VERSION},
      {"layer_loaded", Sum.Processes > 0},
      {"processes", Sum.Processes},
      {"executables", Sum.Executables},
      {"exit", std::move(Exit)},
      {"running", std::move(Running)},
      {"contexts", Sum[Counter::contexts]},
      {"programs",
       {{"seen", Sum[Counter::programs]},
        {"launched", Sum[Counter::programs_launched]},
        {"compiled", Sum[Counter::programs_compiled]},
        {"instrumented", Sum[Counter::programs_instrumented]},
        {"cache_hits", Sum[Counter::cache_hits]}}},
      {"kernels",
       {{"created", Sum[Counter::kernels_created]},
        {"launched", Sum[Counter::kernels_launched]},
        {"twin", Sum[Counter::kernels_twin]},
        {"proven", Sum[Counter::kernels_proven]},
        {"left_out", Sum[Counter::kernels_left_out]}}},
      {"launches",
       {{"seen", Sum[Counter::launches]},
        {"twin", Sum[Counter::launches_twin]},
        {"checked", Sum[Counter::launches_checked]},
        {"proven", Sum[Counter::launches_proven]},
        {"native", Sum[Counter::launches] - Sum[Counter::launches_twin] -
                       Sum[Counter::launches_proven]},
        {"watched", Sum[Counter::launches_watched]},
        {"unfollowed", Sum[Counter::launches_unfollowed]},
        {"divergent", Sum[Counter::launches_divergent]},
        {"runtime", Sum[Counter::launches_runtime]},
        {"left_out", Sum[Counter::launches_left_out]},
        {"sampled_out", Sum[Counter::launches_sampled_out]}}},
      {"accesses",
       {{"checked", Sum[Counter::accesses_checked]},
        {"proven", Sum[Counter::accesses_proven]},
        {"untraced", Sum[Counter::accesses_untraced]}}},
      {"errors",
       {{"different", Sum[Counter::findings]},
        {"launches", Sum[Counter::finding_launches]},
        {"work_items", Sum[Counter::finding_work_items]},
        {"brief", Sum[Counter::findings_brief]},
        {"refuted", Sum[Counter::findings_refuted]},
        {"records_lost", Sum[Counter::records_lost]},
        {"records_bad", Sum[Counter::records_bad]},
        {"records_unread", Sum[Counter::records_unread]}}},
      {"findings", std::move(Findings)},
      {"findings_lost", Sum.FindingsLost},
      {"time",
       {{"build_ns", Sum[Counter::build_ns]},
        {"twin_wait_ns", Sum[Counter::twin_wait_ns]}}},
      {"gaps", std::move(Gaps)},
      {"gaps_lost", Sum.GapsLost},
      {"left_out", std::move(LeftOut)},
      {"kept", std::move(Kept)},
      {"not_native", std::move(NotNative)},
      {"suppressions_file", Sum.SuppressionsFile},
      {"suppressions", std::move(Suppressions)},
  };
  // Names come from the application and need not be UTF-8: what is not becomes
  // U+FFFD, so that the file can always be read.
  return Root.dump(OneLine ? -1 : 2, ' ', false,
                   Json::error_handler_t::replace) +
         "\n";
}

} // namespace warpsan
