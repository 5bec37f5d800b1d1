//===- status/read_summary.cpp - a summary out of its JSON ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/json_fields.h"
#include "status/status.h"

namespace warpsan {

namespace {

void readCounter(const JsonFields &From, const char *Name, Summary &Sum,
                 Counter Which) {
  From.read(Name, Sum.Counters[static_cast<uint32_t>(Which)]);
}

void readCounters(const JsonFields &Fields, Summary &Sum) {
  readCounter(Fields, "contexts", Sum, Counter::contexts);
  Fields.inside("programs", [&Sum](const JsonFields &In) {
    readCounter(In, "seen", Sum, Counter::programs);
    readCounter(In, "launched", Sum, Counter::programs_launched);
    readCounter(In, "compiled", Sum, Counter::programs_compiled);
    readCounter(In, "instrumented", Sum, Counter::programs_instrumented);
    readCounter(In, "cache_hits", Sum, Counter::cache_hits);
  });
  Fields.inside("kernels", [&Sum](const JsonFields &In) {
    readCounter(In, "created", Sum, Counter::kernels_created);
    readCounter(In, "launched", Sum, Counter::kernels_launched);
    readCounter(In, "twin", Sum, Counter::kernels_twin);
    readCounter(In, "proven", Sum, Counter::kernels_proven);
    readCounter(In, "left_out", Sum, Counter::kernels_left_out);
  });
  Fields.inside("launches", [&Sum](const JsonFields &In) {
    readCounter(In, "seen", Sum, Counter::launches);
    readCounter(In, "twin", Sum, Counter::launches_twin);
    readCounter(In, "checked", Sum, Counter::launches_checked);
    readCounter(In, "proven", Sum, Counter::launches_proven);
    readCounter(In, "watched", Sum, Counter::launches_watched);
    readCounter(In, "unfollowed", Sum, Counter::launches_unfollowed);
    readCounter(In, "divergent", Sum, Counter::launches_divergent);
    readCounter(In, "runtime", Sum, Counter::launches_runtime);
    readCounter(In, "left_out", Sum, Counter::launches_left_out);
    readCounter(In, "sampled_out", Sum, Counter::launches_sampled_out);
  });
  Fields.inside("accesses", [&Sum](const JsonFields &In) {
    readCounter(In, "checked", Sum, Counter::accesses_checked);
    readCounter(In, "proven", Sum, Counter::accesses_proven);
    readCounter(In, "untraced", Sum, Counter::accesses_untraced);
  });
  Fields.inside("errors", [&Sum](const JsonFields &In) {
    readCounter(In, "different", Sum, Counter::findings);
    readCounter(In, "launches", Sum, Counter::finding_launches);
    readCounter(In, "work_items", Sum, Counter::finding_work_items);
    readCounter(In, "refuted", Sum, Counter::findings_refuted);
    readCounter(In, "brief", Sum, Counter::findings_brief);
    readCounter(In, "records_lost", Sum, Counter::records_lost);
    readCounter(In, "records_bad", Sum, Counter::records_bad);
    readCounter(In, "records_unread", Sum, Counter::records_unread);
  });
  Fields.inside("time", [&Sum](const JsonFields &In) {
    readCounter(In, "build_ns", Sum, Counter::build_ns);
    readCounter(In, "twin_wait_ns", Sum, Counter::twin_wait_ns);
  });
}

void readLines(const JsonFields &Fields, Summary &Sum) {
  Fields.each("findings", [&Sum](const JsonFields &In) {
    Summary::FindingLine &Line = Sum.Findings.emplace_back();
    In.read("id", Line.Id);
    In.read("fingerprint", Line.Fingerprint);
    In.read("kernel", Line.Kernel);
    In.read("title", Line.Title);
    In.read("launches", Line.Launches);
    In.read("work_items", Line.WorkItems);
    In.read("cuda", Line.Cuda);
  });
  Fields.read("findings_lost", Sum.FindingsLost);
  Fields.each("running", [&Sum](const JsonFields &In) {
    Summary::RunningLine &Line = Sum.Running.emplace_back();
    In.read("kernel", Line.Kernel);
    In.read("launches", Line.Launches);
  });
  auto ReadGaps = [&](const char *Name, GapKind Kind) {
    Fields.each(Name, [&Sum, Kind](const JsonFields &In) {
      Summary::GapLine &Line = Sum.Gaps.emplace_back();
      Line.Kind = Kind;
      In.read("subject", Line.Subject);
      In.read("reason", Line.Reason);
      In.read("launches", Line.Launches);
    });
  };
  ReadGaps("gaps", GapKind::Gap);
  ReadGaps("left_out", GapKind::LeftOut);
  ReadGaps("kept", GapKind::Kept);
  ReadGaps("not_native", GapKind::NotNative);
  Fields.read("gaps_lost", Sum.GapsLost);
  Fields.read("suppressions_file", Sum.SuppressionsFile);
  Fields.each("suppressions", [&Sum](const JsonFields &In) {
    Summary::SuppressionLine &Line = Sum.Suppressions.emplace_back();
    In.read("line", Line.Line);
    In.read("text", Line.Text);
    In.read("findings", Line.Findings);
    In.read("launches", Line.Launches);
  });
}

} // namespace

ReadSummary readSummary(std::string_view Text) {
  ReadSummary Out;
  const nlohmann::json Object = parseObject(Text, Out.Problem);
  if (!Out.Problem.empty())
    return Out;
  const JsonFields Fields(Object, "", Out.Problem);
  std::string Schema;
  Fields.read("schema", Schema);
  if (Schema != SummarySchema)
    Fields.complain("schema", std::string("is not ") + SummarySchema);
  Fields.read("processes", Out.Sum.Processes);
  Fields.read("executables", Out.Sum.Executables);
  Fields.inside("exit", [&Out](const JsonFields &In) {
    In.readIfAny("code", Out.Sum.ExitCode);
    In.readIfAny("signal", Out.Sum.Signal);
  });
  readCounters(Fields, Out.Sum);
  readLines(Fields, Out.Sum);
  return Out;
}

} // namespace warpsan
