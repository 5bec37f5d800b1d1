//===- status/summary_text.cpp - the closing summary for people -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One plain line says how the run ended; what was not covered follows, one
// line each with its reason. Names and reasons come from the application and
// its driver: nothing in them may move the cursor.
//
//===----------------------------------------------------------------------===//
#include "status/status.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace warpsan {

namespace {

/// Gaps that are listed; the JSON has all.
constexpr size_t MostGapLines = 20;
/// Columns are padded to their longest text, but no further than this.
constexpr size_t MostSubjectWidth = 32;
const std::string OfKernel = "kernel ";
constexpr size_t MostReasonWidth = 64;
/// Errors that are listed, likewise, and how wide.
constexpr size_t MostFindingLines = 50;

std::string launches(uint64_t Value) {
  return count(Value, "launch", "launches");
}

/// Of a kind, the most launches first.
std::string gapLines(const Summary &Sum, GapKind Kind = GapKind::Gap) {
  std::vector<Summary::GapLine> Lines = Sum.Gaps;
  std::erase_if(Lines, [Kind](const auto &Line) { return Line.Kind != Kind; });
  std::stable_sort(
      Lines.begin(), Lines.end(),
      [](const auto &A, const auto &B) { return A.Launches > B.Launches; });
  size_t Shown = std::min(Lines.size(), MostGapLines);
  size_t SubjectWidth = 0, ReasonWidth = 0;
  for (size_t I = 0; I < Shown; ++I) {
    if (std::string &Subject = Lines[I].Subject; Subject.starts_with(OfKernel))
      Subject = OfKernel + kernelName(Subject.substr(OfKernel.size()));
    Lines[I].Subject = printable(Lines[I].Subject);
    Lines[I].Reason = printable(Lines[I].Reason);
    SubjectWidth = std::max(SubjectWidth, width(Lines[I].Subject));
    ReasonWidth = std::max(ReasonWidth, width(Lines[I].Reason));
  }
  SubjectWidth = std::min(SubjectWidth, MostSubjectWidth);
  ReasonWidth = std::min(ReasonWidth, MostReasonWidth);

  const std::string Indent(11, ' ');
  std::string Out;
  for (size_t I = 0; I < Shown; ++I)
    Out += Indent + padded(Lines[I].Subject, SubjectWidth) + "   " +
           padded(Lines[I].Reason, ReasonWidth) + "   " +
           (Lines[I].Launches ? launches(Lines[I].Launches) : "not launched") +
           "\n";
  if (Lines.size() > Shown)
    Out += Indent + "and " + number(Lines.size() - Shown) +
           " more (summary_file has all)\n";
  if (Sum.GapsLost && Kind == GapKind::Gap)
    Out += Indent + "and " + number(Sum.GapsLost) +
           " more that were not recorded: the table is full\n";
  return Out;
}

/// "(4 programs, 4 instrumented)", with the processes if there were several.
/// A program that nothing was launched from is not instrumented: nobody needed
/// it.
std::string programsPart(const Summary &Sum) {
  const uint64_t Built = Sum[Counter::programs];
  const uint64_t Launched = Sum[Counter::programs_launched];
  std::string Out = "(" + count(Built, "program", "programs");
  if (Launched != Built)
    Out += ", " + number(Launched) + " launched from";
  Out += ", " + number(Sum[Counter::programs_instrumented]) + " instrumented";
  if (Sum.Processes > 1)
    Out += ", in " + number(Sum.Processes) + " processes";
  return Out + ")";
}

/// Launches that were to be checked.
uint64_t launchesWanted(const Summary &Sum) {
  return Sum[Counter::launches] - Sum[Counter::launches_excluded] -
         Sum[Counter::launches_sampled_out];
}

uint64_t accesses(const Summary &Sum) {
  return Sum[Counter::accesses_checked] + Sum[Counter::accesses_proven] +
         Sum[Counter::accesses_untraced];
}

/// " at source.cl:5:10 of program 2" if the line begins with the host's place.
std::string unnamedPlace(const Summary::FindingLine &Line) {
  if (Line.HostLocation.empty() || Line.Location.empty())
    return {};
  return " at " + printable(Line.Location) +
         (Line.ProgramNumber ? " of program " + number(Line.ProgramNumber)
                             : "");
}

/// Where and how often: "kernel saxpy, 4 work-items in 1 launch".
std::string occurrences(const Summary::FindingLine &Line) {
  if (Line.Call && Line.WorkItems > Line.Launches) // leaks of one place
    return printable(Line.Kernel) + ", " +
           count(Line.WorkItems, "allocation", "allocations");
  if (Line.Call)
    return printable(Line.Kernel) +
           (Line.Launches == 1 ? ", once"
                               : ", " + number(Line.Launches) + " times");
  // A canary does not count work-items.
  const std::string Items =
      Line.WorkItems == 0 ? ""
      : Line.Cuda         ? count(Line.WorkItems, "thread", "threads") + " "
                  : count(Line.WorkItems, "work-item", "work-items") + " ";
  return "kernel " + printable(kernelName(Line.Kernel)) + unnamedPlace(Line) +
         ", " + Items + "in " + launches(Line.Launches);
}

/// One line per error, as compilers write theirs, so that editors find them:
/// "file:line:column: error: title [id] occurrences". A source that has no name
/// is in no file: then it is the host's "file:line".
std::string findingLines(const Summary &Sum) {
  const size_t Shown = std::min(Sum.Findings.size(), MostFindingLines);
  std::string Out;
  for (size_t I = 0; I < Shown; ++I) {
    const Summary::FindingLine &Line = Sum.Findings[I];
    const std::string &Place =
        Line.HostLocation.empty() ? Line.Location : Line.HostLocation;
    if (!Place.empty())
      Out += printable(Place) + ": ";
    Out += "error: " + printable(Line.Title) + " [" + printable(Line.Id) +
           "] " + occurrences(Line) + "\n";
  }
  uint64_t More = Sum.Findings.size() - Shown + Sum.FindingsLost;
  if (More)
    Out += "  and " + number(More) +
           " more (summary_file has those that were "
           "recorded)\n";
  return Out;
}

std::string milliseconds(uint64_t Nanoseconds) {
  return number((Nanoseconds + 500000) / 1000000) + " ms";
}

std::string timeLine(const Summary &Sum) {
  return "WarpSan: " + milliseconds(Sum[Counter::build_ns]) +
         " in the program's own builds, " +
         milliseconds(Sum[Counter::twin_wait_ns]) +
         " waiting for twins at launches; the cache answered " +
         count(Sum[Counter::cache_hits], "compilation", "compilations") + ".\n";
}

const char *NotLoaded =
    "WarpSan: nothing was checked: the program did not load the layer.\n"
    "           Likely causes: it does not use OpenCL; its OpenCL loader does "
    "not "
    "support layers; it clears its\n"
    "           environment; it is set-user-ID or has file capabilities. "
    "`warpsan doctor` tests the loader.\n";

std::string noDriver(const Summary &Sum) {
  std::string Out =
      "WarpSan: nothing was checked: there is no OpenCL driver.\n";
  if (!Sum.DriversIn.empty())
    return Out + "           " + printable(Sum.DriversIn) +
           " has no .icd file; unset it or name a driver's file.\n";
  return Out +
         "           Neither /etc/OpenCL/vendors nor OCL_ICD_VENDORS has an "
         ".icd file. Install a driver;\n"
         "           `warpsan doctor` lists those that the loader finds.\n";
}

} // namespace

/// "the only launch was refused"; empty if none was. For a run without any
/// launch: then gaps of launches are of refused ones (untrusted_kernels).
static std::string refusedPart(const Summary &Sum) {
  uint64_t Refused = 0;
  for (const Summary::GapLine &Line : Sum.Gaps)
    if (Line.Kind == GapKind::Gap)
      Refused += Line.Launches;
  if (!Refused)
    return {};
  return Refused == 1 ? "the only launch was refused"
                      : "all " + launches(Refused) + " were refused";
}

bool hasErrors(const Summary &Sum) {
  return Sum[Counter::findings] || Sum[Counter::records_lost] ||
         Sum[Counter::records_bad] || Sum[Counter::records_unread];
}

std::string coverageProblem(const Summary &Sum) {
  if (!Sum.Processes)
    return Sum.NoDriver ? "there is no OpenCL driver"
                        : "the program did not load the layer";
  if (!Sum[Counter::launches]) {
    const std::string Refused = refusedPart(Sum);
    return Refused.empty() ? "no kernel was launched" : Refused;
  }
  if (!launchesWanted(Sum))
    return "kernels= and skip_kernels= exclude every launched kernel";
  const uint64_t Uncovered =
      launchesWanted(Sum) - Sum[Counter::launches_covered];
  if (Uncovered)
    return number(Uncovered) + " of " + launches(launchesWanted(Sum)) +
           (Uncovered == 1 ? " was" : " were") + " neither checked nor proven";
  return {};
}

namespace {

bool hasLines(const Summary &Sum, GapKind Kind) {
  return std::ranges::any_of(
      Sum.Gaps, [Kind](const auto &Line) { return Line.Kind == Kind; });
}

bool hasGaps(const Summary &Sum) {
  return hasLines(Sum, GapKind::Gap) || Sum.GapsLost;
}

/// No kernel was launched.
std::string nothingLaunched(const Summary &Sum) {
  std::string Out = "WarpSan: nothing was checked: ";
  if (const std::string Refused = refusedPart(Sum); !Refused.empty())
    return Out + Refused + ", since " +
           (Refused.starts_with("all") ? "they" : "it") +
           " could not be checked " + programsPart(Sum) + ".\n" + gapLines(Sum);
  if (const uint64_t Failed = Sum[Counter::programs_failed];
      Failed && !Sum[Counter::programs])
    Out += "no OpenCL program was built: " + count(Failed, "build", "builds") +
           " failed, also without WarpSan (clGetProgramBuildInfo has the "
           "driver's log).";
  else if (!Sum[Counter::programs])
    Out += "the program built no OpenCL program.";
  else
    Out += "the program launched no kernel " + programsPart(Sum) + ".";
  Out += " With require_coverage=1 this is an error.";
  // Often it has found no device.
  if (!Sum[Counter::programs] && !Sum[Counter::programs_failed])
    Out += " `warpsan doctor` lists drivers and devices.";
  Out += "\n";
  // A gap without a launch is a program that could not be instrumented.
  return Out + gapLines(Sum);
}

/// What is known of launches without checks.
std::string canaryGuarded(const Summary &Sum) {
  const uint64_t Guarded = Sum[Counter::launches_canary_guarded];
  if (!Guarded)
    return {};
  return launches(Guarded) + " without checks " +
         (Guarded == 1 ? "was" : "were") +
         " guarded by canaries, which detect only writes just past the end of "
         "memory.";
}

/// A sentence below another one; nothing if it is empty.
std::string remark(const std::string &Sentence) {
  return Sentence.empty() ? "" : "         " + Sentence + "\n";
}

/// What the user did not want checked.
std::string notWanted(const Summary &Sum) {
  std::string Out;
  if (uint64_t Excluded = Sum[Counter::launches_excluded])
    Out += "         Excluded by request: " + launches(Excluded) + " of " +
           count(Sum[Counter::kernels_excluded], "kernel", "kernels") + ":\n" +
           gapLines(Sum, GapKind::Excluded);
  if (uint64_t SampledOut = Sum[Counter::launches_sampled_out])
    Out += "         " + launches(SampledOut) + " " +
           (SampledOut == 1 ? "was" : "were") +
           " not checked: not in the sample (sample=).\n";
  if (hasLines(Sum, GapKind::Forced))
    Out += "         Checked despite kernels=, skip_kernels= or sample=: the "
           "program's kernels modify shared program-scope variables:\n" +
           gapLines(Sum, GapKind::Forced);
  return Out;
}

/// What was proven and ran as a twin all the same.
std::string notNative(const Summary &Sum) {
  if (!hasLines(Sum, GapKind::NotNative))
    return {};
  return "         Proven, but run as twins: the native kernels may "
         "differ:\n" +
         gapLines(Sum, GapKind::NotNative);
}

/// Kernels were launched, none with checks.
std::string nothingChecked(const Summary &Sum) {
  const uint64_t All = launchesWanted(Sum);
  const uint64_t Twin = Sum[Counter::launches_twin];
  if (!All)
    return "WarpSan: nothing was checked: kernels= and skip_kernels= exclude "
           "every launched kernel.\n" +
           notWanted(Sum);
  std::string Out = "WarpSan: nothing was checked: ";
  const std::string Remarks =
      remark(canaryGuarded(Sum)) + notNative(Sum) + notWanted(Sum);
  if (Sum[Counter::launches_trace])
    return Out + "scheme=trace records accesses and checks none.\n" +
           (hasGaps(Sum) ? "         These could not be instrumented:\n" : "") +
           gapLines(Sum) + Remarks;
  // No program is launched from while no twins are wanted.
  if (!Sum[Counter::programs_launched] && !hasGaps(Sum))
    return Out + "launch=native; " + launches(All) + " ran " +
           (All == 1 ? "the native kernel" : "native kernels") + " (" +
           count(Sum[Counter::programs], "program", "programs") + ").\n" +
           Remarks;
  if (Twin)
    Out += "checks=none; " + number(Twin) + " of " + launches(All) +
           " ran as " + (Twin == 1 ? "a twin" : "twins") + " without checks ";
  else if (All == 1)
    Out += "the only launch did not run as an instrumented twin ";
  else
    Out += "none of " + launches(All) + " ran as instrumented twins ";
  Out += programsPart(Sum);
  Out += Twin == All || !hasGaps(Sum) ? ".\n"
         : All == 1                   ? ":\n"
                                      : "; these did not:\n";
  return Out + gapLines(Sum) + Remarks;
}

uint64_t suppressed(const Summary &Sum) {
  uint64_t All = 0;
  for (const Summary::SuppressionLine &Line : Sum.Suppressions)
    All += Line.Findings;
  return All;
}

/// "2 launches and 1 call".
std::string launchesAndCalls(const Summary::SuppressionLine &Line) {
  if (!Line.Calls)
    return launches(Line.Launches);
  return (Line.Launches ? launches(Line.Launches) + " and " : "") +
         count(Line.Calls, "call", "calls");
}

/// One line a suppression: first those that were of use.
std::string suppressionLines(const Summary &Sum) {
  std::string Used, Unused;
  size_t UsedCount = 0, UnusedCount = 0;
  for (const Summary::SuppressionLine &Line : Sum.Suppressions) {
    const std::string Where = printable(Sum.SuppressionsFile) + ":" +
                              std::to_string(Line.Line) + " (" +
                              printable(Line.Text) + ")\n";
    if (Line.Findings && ++UsedCount <= MostGapLines)
      Used += "         " + count(Line.Findings, "error", "errors") + " in " +
              launchesAndCalls(Line) + " suppressed by " + Where;
    if (!Line.Findings && ++UnusedCount <= MostGapLines)
      Unused += "         Suppresses nothing: " + Where;
  }
  auto More = [](size_t Count) {
    return Count > MostGapLines
               ? "         and " + number(Count - MostGapLines) +
                     " more (summary_file has all)\n"
               : "";
  };
  return Used + More(UsedCount) + Unused + More(UnusedCount);
}

} // namespace

std::string endingOf(const Summary &Sum) {
  if (!Sum.Signal)
    return {};
  const char *Name = sigdescr_np(*Sum.Signal);
  return "signal " + std::to_string(*Sum.Signal) +
         (Name ? " (" + std::string(Name) + ")" : "") + " ended the program";
}

std::vector<std::string> remarksOf(const Summary &Sum) {
  std::vector<std::string> Out;
  auto Say = [&Out](const std::string &Sentence) { Out.push_back(Sentence); };
  if (std::string Guarded = canaryGuarded(Sum); !Guarded.empty())
    Say(Guarded);
  if (uint64_t Untraced = Sum[Counter::accesses_untraced])
    Say(number(Untraced) + " of " + count(accesses(Sum), "access", "accesses") +
        " were not checked: their pointers could not be traced to an "
        "object.");
  if (uint64_t Partial = Sum[Counter::launches_partial])
    Say("In " + launches(Partial) +
        " pointers loaded from memory, or marked objects, were not checked: "
        "no system SVM, or shared program-scope variables.");
  if (uint64_t Refuted = Sum[Counter::findings_refuted])
    Say(number(Refuted) +
        (Refuted == 1 ? " of these errors is" : " of these errors are") +
        " in accesses that WarpSan had proven to be in bounds, or not to "
        "race. That is a "
        "defect of WarpSan: please report it.");
  if (uint64_t Divergent = Sum[Counter::launches_divergent])
    Say("In " + launches(Divergent) +
        " a barrier may not be reached by all work-items of a work-group, so "
        "nothing was proven and every access was checked (`warpsan explain` "
        "says which barrier).");
  if (uint64_t Unchecked = Sum[Counter::launches_barriers_unchecked])
    Say("In " + launches(Unchecked) +
        " divergent barriers would not have been found: their kernels are "
        "beyond what twins can compare (docs/reference/limits.md).");
  if (uint64_t Unjudged = Sum[Counter::launches_races_unjudged]) {
    std::string Lines = gapLines(Sum, GapKind::RacesUnjudged);
    if (Lines.ends_with('\n'))
      Lines.pop_back();
    Say("In " + launches(Unjudged) +
        " data races would not have been found, or not in all memory:\n" +
        Lines);
  }
  if (uint64_t Lost = Sum[Counter::records_lost])
    Say(count(Lost, "failed check", "failed checks") +
        " could not be described: the record buffer was full.");
  if (uint64_t Bad = Sum[Counter::records_bad])
    Say(count(Bad, "error record is", "error records are") +
        " unreadable: a kernel overwrote " + (Bad == 1 ? "it" : "them") +
        ", or " + (Bad == 1 ? "its launch is" : "their launches are") +
        " no longer logged.");
  if (uint64_t Unread = Sum[Counter::records_unread])
    Say(count(Unread, "failed check", "failed checks") +
        " could not be reported before the process ended: call clFinish before "
        "exit.");
  for (const Summary::UnreadLine &Line : Sum.Unread)
    Say((Line.Kernel.empty()
             ? "a kernel: "
             : "kernel " + printable(kernelName(Line.Kernel)) + ": ") +
        Line.What + ".");
  return Out;
}

namespace {

std::string remarks(const Summary &Sum) {
  std::string Out;
  for (const std::string &Sentence : remarksOf(Sum))
    Out += remark(Sentence);
  return Out + notNative(Sum) + notWanted(Sum);
}

/// How many launches needed no check.
std::string provenPart(const Summary &Sum) {
  const uint64_t Proven = Sum[Counter::launches_proven];
  return Proven ? ", " + number(Proven) + " of them by proof" : "";
}

/// How many kernels needed no check. Such a one need not be among the covered:
/// that is of all its launches.
std::string provenKernelsPart(const Summary &Sum) {
  const uint64_t Proven = Sum[Counter::kernels_proven];
  return Proven ? ", " + number(Proven) + " proven entirely when last launched"
                : "";
}

/// Which kernels may have been at work when a process was ended; what they did
/// then is not known.
std::string runningPart(const Summary &Sum) {
  constexpr size_t Most = 8;
  if (Sum.Running.empty())
    return {};
  std::string Names;
  for (size_t I = 0; I < std::min(Sum.Running.size(), Most); ++I)
    Names += (I ? ", " : "") + printable(kernelName(Sum.Running[I].Kernel)) +
             (Sum.Running[I].Launches > 1
                  ? " (" + launches(Sum.Running[I].Launches) + ")"
                  : "");
  if (Sum.Running.size() > Most)
    Names += " and " + number(Sum.Running.size() - Most) + " more";
  return "Not known to have completed, the last one first: " + Names + ".";
}

/// Launches may not have come to their end.
bool wasEnded(const Summary &Sum) { return Sum.Signal || !Sum.Running.empty(); }

/// How the program ended, if not by itself.
std::string endPart(const Summary &Sum) {
  std::string Out;
  if (Sum.Signal && !hasErrors(Sum)) // errors() says it beside them
    Out = "WarpSan: " + endingOf(Sum) + ".\n";
  return Out + remark(runningPart(Sum));
}

/// Checks, and nothing was found.
std::string noErrors(const Summary &Sum) {
  const uint64_t Kernels =
      Sum[Counter::kernels_launched] - Sum[Counter::kernels_excluded];
  const uint64_t CoveredKernels = Sum[Counter::kernels_twin];
  const uint64_t All = launchesWanted(Sum);
  const uint64_t Covered = Sum[Counter::launches_covered];
  const std::string Processes =
      Sum.Processes > 1 ? " (in " + number(Sum.Processes) + " processes)" : "";
  std::string Out;
  if (Covered == All)
    Out =
        "WarpSan: no errors" +
        std::string(wasEnded(Sum) ? " found before the program was ended"
                                  : "") +
        (suppressed(Sum) ? " except " + number(suppressed(Sum)) + " suppressed"
                         : "") +
        ". " + number(CoveredKernels) + " of " +
        count(Kernels, "kernel", "kernels") + " covered, " + launches(All) +
        " covered" + provenPart(Sum) + Processes + ".\n" +
        (hasGaps(Sum) ? "         These could not be instrumented:\n" : "");
  else
    Out = "WarpSan: no errors found" +
          std::string(wasEnded(Sum) ? " before the program was ended" : "") +
          ", but " + number(All - Covered) + " of " + launches(All) +
          " ran without checks, and " + number(Kernels - CoveredKernels) +
          " of " + count(Kernels, "kernel", "kernels") +
          (Kernels - CoveredKernels == 1 ? " was" : " were") + " not covered" +
          Processes + (hasGaps(Sum) ? ":\n" : ".\n");
  return Out + gapLines(Sum) + remarks(Sum);
}

/// "2 kernels and 1 call".
std::string whoHasErrors(const Summary &Sum) {
  std::set<std::string> Kernels;
  size_t Calls = 0;
  for (const Summary::FindingLine &Line : Sum.Findings)
    if (Line.Call)
      ++Calls;
    else
      Kernels.insert(Line.Kernel);
  if (Kernels.empty() && Calls)
    return count(Calls, "call", "calls");
  return count(std::max<size_t>(Kernels.size(), 1), "kernel", "kernels") +
         (Calls ? " and " + count(Calls, "call", "calls") : "");
}

/// The files of all processes, as a pattern.
std::string patternOf(std::string File) {
  for (size_t At; (At = File.find("%p")) != std::string::npos;)
    File.replace(At, 2, "*");
  return File;
}

std::string reportsPart(const std::vector<std::string> &Files) {
  std::string Out;
  for (const std::string &File : Files)
    Out += (Out.empty() ? " Full report: " : ", ") + printable(patternOf(File));
  return Out;
}

std::string errors(const Summary &Sum,
                   const std::vector<std::string> &Reports) {
  const uint64_t Found = Sum.Findings.size() + Sum.FindingsLost;
  std::string Out = "WarpSan: ";
  if (Found)
    Out += count(Found, "error", "errors") + " in " + whoHasErrors(Sum) +
           (Sum[Counter::findings_truncated]
                ? ", " + number(Sum[Counter::findings_truncated]) +
                      " of them not reported in full (max_findings)"
                : "") +
           ".";
  else
    Out += "checks failed, but no error could be described.";
  if (const std::string Ending = endingOf(Sum); !Ending.empty())
    Out += " Then " + Ending + ".";
  if (Found)
    Out += reportsPart(Reports);
  Out += "\n" + findingLines(Sum);

  const uint64_t All = launchesWanted(Sum);
  const uint64_t Covered = Sum[Counter::launches_covered];
  Out +=
      "  kernels    " + number(Sum[Counter::kernels_twin]) + " of " +
      number(Sum[Counter::kernels_launched] - Sum[Counter::kernels_excluded]) +
      " covered" + provenKernelsPart(Sum) + "\n";
  Out += "  launches   " + number(All) + ": " + number(Covered) + " covered" +
         provenPart(Sum) + ", " + number(All - Covered) + " not covered\n";
  Out += "  accesses   " + number(accesses(Sum)) + ": " +
         number(Sum[Counter::accesses_proven]) + " proven, " +
         number(Sum[Counter::accesses_checked]) + " checked\n";
  if (hasGaps(Sum))
    Out += "         These were not covered:\n" + gapLines(Sum);
  return Out + remarks(Sum);
}

} // namespace

std::string summaryText(const Summary &Sum, int64_t Verbosity,
                        const std::vector<std::string> &Reports) {
  if (!Sum.Processes)
    return Sum.NoDriver ? noDriver(Sum) : NotLoaded;
  std::string Out = hasErrors(Sum)                    ? errors(Sum, Reports)
                    : !Sum[Counter::launches]         ? nothingLaunched(Sum)
                    : !Sum[Counter::launches_covered] ? nothingChecked(Sum)
                                                      : noErrors(Sum);
  Out += suppressionLines(Sum) + endPart(Sum);
  if (Verbosity >= 2)
    Out += timeLine(Sum);
  return Out;
}

} // namespace warpsan
