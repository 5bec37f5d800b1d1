//===- status/summary_fields.h - the fields of a summary's JSON -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of fields, in the order of the file, for the writer and the reader.
// The schema is docs/reference/formats/summary.md. Its name ends in a version:
// fields may be added within a version, never removed or given another meaning.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_STATUS_SUMMARY_FIELDS_H
#define WARPSAN_STATUS_SUMMARY_FIELDS_H

#include "status/status.h"

namespace warpsan {

/// Calls \p V for each field of \p Sum but the schema. \p Sums: Summary, or
/// const Summary. A visitor has these methods:
/// - derived(Name, Value): written, and not read
/// - field(Name, Member)
/// - optional(Name, Member): absent if there is no value
/// - object(Name, Fields): calls Fields with a visitor of the object; null if
/// it
///   has no fields
/// - list(Name, Members, Fields): calls Fields with a visitor and the member
/// - gaps(Name, Members, Kind, Fields): the same, for gaps of one kind
template <typename Visitor, typename Sums>
void visitSummaryFields(Visitor &V, Sums &Sum) {
  auto Count = [&Sum](auto &In, const char *Name, Counter Which) {
    In.field(Name, Sum.Counters[static_cast<uint32_t>(Which)]);
  };
  auto Gap = [](auto &In, auto &Line) {
    In.field("subject", Line.Subject);
    In.field("reason", Line.Reason);
    In.field("launches", Line.Launches);
  };
  V.derived("warpsan", WARPSAN_VERSION);
  V.derived("layer_loaded", Sum.Processes > 0);
  V.field("processes", Sum.Processes);
  V.field("executables", Sum.Executables);
  V.object("exit", [&Sum](auto &In) {
    In.optional("code", Sum.ExitCode);
    In.optional("signal", Sum.Signal);
  });
  V.list("running", Sum.Running, [](auto &In, auto &Line) {
    In.field("kernel", Line.Kernel);
    In.field("launches", Line.Launches);
  });
  Count(V, "contexts", Counter::contexts);
  V.object("programs", [&Count](auto &In) {
    Count(In, "seen", Counter::programs);
    Count(In, "launched", Counter::programs_launched);
    Count(In, "compiled", Counter::programs_compiled);
    Count(In, "instrumented", Counter::programs_instrumented);
    Count(In, "failed", Counter::programs_failed);
    Count(In, "cache_hits", Counter::cache_hits);
  });
  V.object("kernels", [&Count](auto &In) {
    Count(In, "created", Counter::kernels_created);
    Count(In, "launched", Counter::kernels_launched);
    Count(In, "twin", Counter::kernels_twin);
    Count(In, "proven", Counter::kernels_proven);
    Count(In, "excluded", Counter::kernels_excluded);
  });
  V.object("launches", [&Count, &Sum](auto &In) {
    Count(In, "seen", Counter::launches);
    Count(In, "twin", Counter::launches_twin);
    Count(In, "covered", Counter::launches_covered);
    Count(In, "proven", Counter::launches_proven);
    In.derived("native", Sum[Counter::launches] - Sum[Counter::launches_twin] -
                             Sum[Counter::launches_proven]);
    Count(In, "canary_guarded", Counter::launches_canary_guarded);
    Count(In, "partial", Counter::launches_partial);
    Count(In, "divergent", Counter::launches_divergent);
    Count(In, "barriers_unchecked", Counter::launches_barriers_unchecked);
    Count(In, "races_unjudged", Counter::launches_races_unjudged);
    Count(In, "runtime", Counter::launches_runtime);
    Count(In, "excluded", Counter::launches_excluded);
    Count(In, "sampled_out", Counter::launches_sampled_out);
    Count(In, "trace", Counter::launches_trace);
    Count(In, "race_free", Counter::launches_race_free);
  });
  V.object("accesses", [&Count](auto &In) {
    Count(In, "checked", Counter::accesses_checked);
    Count(In, "proven", Counter::accesses_proven);
    Count(In, "untraced", Counter::accesses_untraced);
  });
  V.object("errors", [&Count](auto &In) {
    Count(In, "different", Counter::findings);
    Count(In, "launches", Counter::finding_launches);
    Count(In, "work_items", Counter::finding_work_items);
    Count(In, "truncated", Counter::findings_truncated);
    Count(In, "refuted", Counter::findings_refuted);
    Count(In, "records_lost", Counter::records_lost);
    Count(In, "records_bad", Counter::records_bad);
    Count(In, "records_unread", Counter::records_unread);
    Count(In, "files_failed", Counter::files_failed);
  });
  V.list("findings", Sum.Findings, [](auto &In, auto &Line) {
    In.field("id", Line.Id);
    In.field("fingerprint", Line.Fingerprint);
    In.field("kernel", Line.Kernel);
    In.field("title", Line.Title);
    In.field("launches", Line.Launches);
    In.field("work_items", Line.WorkItems);
    In.field("cuda", Line.Cuda);
    In.field("call", Line.Call);
    In.field("location", Line.Location);
    In.field("host_location", Line.HostLocation);
    In.field("program_number", Line.ProgramNumber);
  });
  V.field("findings_lost", Sum.FindingsLost);
  V.object("time", [&Count](auto &In) {
    Count(In, "build_ns", Counter::build_ns);
    Count(In, "twin_wait_ns", Counter::twin_wait_ns);
  });
  V.gaps("gaps", Sum.Gaps, GapKind::Gap, Gap);
  V.field("gaps_lost", Sum.GapsLost);
  V.gaps("excluded", Sum.Gaps, GapKind::Excluded, Gap);
  V.gaps("forced", Sum.Gaps, GapKind::Forced, Gap);
  V.gaps("not_native", Sum.Gaps, GapKind::NotNative, Gap);
  V.gaps("races_unjudged", Sum.Gaps, GapKind::RacesUnjudged, Gap);
  V.field("suppressions_file", Sum.SuppressionsFile);
  V.list("suppressions", Sum.Suppressions, [](auto &In, auto &Line) {
    In.field("line", Line.Line);
    In.field("text", Line.Text);
    In.field("findings", Line.Findings);
    In.field("launches", Line.Launches);
    In.field("calls", Line.Calls);
  });
}

} // namespace warpsan

#endif // WARPSAN_STATUS_SUMMARY_FIELDS_H
