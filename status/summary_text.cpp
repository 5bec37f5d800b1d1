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
#include "words/names.h"
#include "words/words.h"

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
constexpr size_t MostTitleWidth = 90;

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
           " more that were not recorded: there was no room\n";
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
  return Sum[Counter::launches] - Sum[Counter::launches_left_out] -
         Sum[Counter::launches_sampled_out];
}

uint64_t accesses(const Summary &Sum) {
  return Sum[Counter::accesses_checked] + Sum[Counter::accesses_proven] +
         Sum[Counter::accesses_untraced];
}

/// One line an error: id, title, how often.
std::string findingLines(const Summary &Sum) {
  const size_t Shown = std::min(Sum.Findings.size(), MostFindingLines);
  size_t TitleWidth = 0;
  for (size_t I = 0; I < Shown; ++I)
    TitleWidth = std::max(TitleWidth, width(printable(Sum.Findings[I].Title)));
  TitleWidth = std::min(TitleWidth, MostTitleWidth);
  std::string Out;
  for (size_t I = 0; I < Shown; ++I) {
    const Summary::FindingLine &Line = Sum.Findings[I];
    Out +=
        "  " + padded(printable(Line.Id), 9) + "  " +
        padded(printable(Line.Title), TitleWidth) + "  kernel " +
        printable(kernelName(Line.Kernel)) + ", " +
        (Line.WorkItems // a canary does not know them
             ? (Line.Cuda ? count(Line.WorkItems, "thread", "threads")
                          : count(Line.WorkItems, "work-item", "work-items")) +
                   " "
             : "") +
        "in " + launches(Line.Launches) + "\n";
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
         " waiting for twins at launches; " + number(Sum[Counter::cache_hits]) +
         " of " +
         count(Sum[Counter::programs_compiled], "compilation", "compilations") +
         " from the cache.\n";
}

const char *NotLoaded =
    "WarpSan: nothing was checked: the program did not load the layer.\n"
    "           Likely causes: it does not use OpenCL; its OpenCL loader knows "
    "no layers; it clears its\n"
    "           environment; it is set-user-ID or has file capabilities. "
    "`warpsan doctor` tests the loader.\n";

} // namespace

bool hasErrors(const Summary &Sum) {
  return Sum[Counter::findings] || Sum[Counter::records_lost] ||
         Sum[Counter::records_bad] || Sum[Counter::records_unread];
}

std::string coverageProblem(const Summary &Sum) {
  if (!Sum.Processes)
    return "the program did not load the layer";
  if (!Sum[Counter::launches])
    return "no kernel was launched";
  if (!launchesWanted(Sum))
    return "kernels= and skip= leave out every kernel that was launched";
  uint64_t Native = launchesWanted(Sum) - Sum[Counter::launches_twin] -
                    Sum[Counter::launches_proven];
  if (Native)
    return number(Native) + " of " + launches(launchesWanted(Sum)) +
           " ran without an instrumented twin";
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
  if (!Sum[Counter::programs])
    Out += "the program built no OpenCL program.";
  else
    Out += "the program launched no kernel. " + programsPart(Sum);
  Out += " (require_coverage=1 makes this an error)\n";
  // A gap without a launch is a program that could not be instrumented.
  return Out + gapLines(Sum);
}

/// What is known of launches without checks.
std::string watched(const Summary &Sum) {
  const uint64_t Watched = Sum[Counter::launches_watched];
  if (!Watched)
    return {};
  return launches(Watched) + " without checks " +
         (Watched == 1 ? "was" : "were") +
         " watched by canaries, which see writes just past the end of "
         "memory.";
}

/// A sentence below another one; nothing if it is empty.
std::string remark(const std::string &Sentence) {
  return Sentence.empty() ? "" : "         " + Sentence + "\n";
}

/// What the user did not want checked.
std::string notWanted(const Summary &Sum) {
  std::string Out;
  if (uint64_t LeftOut = Sum[Counter::launches_left_out])
    Out += "         Left out on request: " + launches(LeftOut) + " of " +
           count(Sum[Counter::kernels_left_out], "kernel", "kernels") + ":\n" +
           gapLines(Sum, GapKind::LeftOut);
  if (uint64_t SampledOut = Sum[Counter::launches_sampled_out])
    Out += "         " + launches(SampledOut) + " more of these kernels " +
           (SampledOut == 1 ? "was" : "were") +
           " not in the sample, and not checked (sample=).\n";
  if (hasLines(Sum, GapKind::Kept))
    Out += "         Checked against your request, since kernels of their "
           "program change variables that they share:\n" +
           gapLines(Sum, GapKind::Kept);
  return Out;
}

/// What was proven and ran as a twin all the same.
std::string notNative(const Summary &Sum) {
  if (!hasLines(Sum, GapKind::NotNative))
    return {};
  return "         Proven, but run as twins: the native kernels may be "
         "different:\n" +
         gapLines(Sum, GapKind::NotNative);
}

/// Kernels were launched, none with checks.
std::string nothingChecked(const Summary &Sum) {
  const uint64_t All = launchesWanted(Sum);
  const uint64_t Twin = Sum[Counter::launches_twin];
  if (!All)
    return "WarpSan: NOTHING WAS CHECKED: kernels= and skip= leave out every "
           "kernel that was launched.\n" +
           notWanted(Sum);
  std::string Out = "WarpSan: nothing was checked: ";
  if (Twin)
    Out += "checks=none; " + number(Twin) + " of " + launches(All) +
           " ran as instrumented twins ";
  else if (All == 1)
    Out += "the only launch did not run as an instrumented twin ";
  else
    Out += "none of " + launches(All) + " ran as instrumented twins ";
  Out += programsPart(Sum);
  Out += Twin == All || !hasGaps(Sum) ? ".\n"
         : All == 1                   ? ":\n"
                                      : "; these did not:\n";
  return Out + gapLines(Sum) + remark(watched(Sum)) + notNative(Sum) +
         notWanted(Sum);
}

uint64_t suppressed(const Summary &Sum) {
  uint64_t All = 0;
  for (const Summary::SuppressionLine &Line : Sum.Suppressions)
    All += Line.Findings;
  return All;
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
              launches(Line.Launches) + " suppressed by " + Where;
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

std::vector<std::string> remarksOf(const Summary &Sum) {
  std::vector<std::string> Out;
  auto Say = [&Out](const std::string &Sentence) { Out.push_back(Sentence); };
  if (std::string Watched = watched(Sum); !Watched.empty())
    Say(Watched);
  if (uint64_t Untraced = Sum[Counter::accesses_untraced])
    Say(number(Untraced) + " of " + count(accesses(Sum), "access", "accesses") +
        " could not be traced to the memory they belong to, and were not "
        "checked.");
  if (uint64_t Unfollowed = Sum[Counter::launches_unfollowed])
    Say("In " + launches(Unfollowed) +
        " pointers that lie in memory, or marked objects, were not looked at: "
        "the device takes no host pointers, or the kernels change variables of "
        "their program.");
  if (uint64_t Refuted = Sum[Counter::findings_refuted])
    Say(number(Refuted) +
        (Refuted == 1 ? " of these errors is" : " of these errors are") +
        " in accesses that WarpSan had proven to be in bounds. That is a "
        "defect of WarpSan: please report it.");
  if (uint64_t Divergent = Sum[Counter::launches_divergent])
    Say("In " + launches(Divergent) +
        " a barrier may not be reached by all work-items of a work-group, so "
        "nothing was proven and every access was checked (`warpsan explain` "
        "says which barrier).");
  if (uint64_t Lost = Sum[Counter::records_lost])
    Say(count(Lost, "failed check", "failed checks") +
        " found no room in the record buffer and could not be described.");
  if (uint64_t Bad = Sum[Counter::records_bad])
    Say(count(Bad, "record", "records") + " could not be understood.");
  if (uint64_t Unread = Sum[Counter::records_unread])
    Say(count(Unread, "failed check", "failed checks") +
        " had not been reported when the process ended: let it wait for its "
        "last launches (clFinish).");
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

/// "signal 11 (Segmentation fault)"
std::string signalName(int Signal) {
  const char *Name = sigdescr_np(Signal);
  return "signal " + std::to_string(Signal) +
         (Name ? " (" + std::string(Name) + ")" : "");
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
  if (Sum.Signal)
    Out = "WarpSan: " + signalName(*Sum.Signal) + " ended the program.\n";
  return Out + remark(runningPart(Sum));
}

/// Checks, and nothing was found.
std::string noErrors(const Summary &Sum) {
  const uint64_t Kernels =
      Sum[Counter::kernels_launched] - Sum[Counter::kernels_left_out];
  const uint64_t Covered = Sum[Counter::kernels_twin];
  const uint64_t All = launchesWanted(Sum);
  const uint64_t Checked = Sum[Counter::launches_checked];
  const std::string Processes =
      Sum.Processes > 1 ? " (in " + number(Sum.Processes) + " processes)" : "";
  std::string Out;
  if (Checked == All)
    Out = "WarpSan: no errors" +
          std::string(wasEnded(Sum) ? " found before the program was ended"
                                    : "") +
          (suppressed(Sum)
               ? " but " + number(suppressed(Sum)) + " that " +
                     (suppressed(Sum) == 1 ? "is" : "are") + " suppressed"
               : "") +
          ". " + number(Covered) + " of " +
          count(Kernels, "kernel", "kernels") + " covered, " + launches(All) +
          " checked" + provenPart(Sum) + Processes + ".\n" +
          (hasGaps(Sum) ? "         These could not be instrumented:\n" : "");
  else
    Out = "WarpSan: no errors found" +
          std::string(wasEnded(Sum) ? " before the program was ended" : "") +
          ", but " + number(All - Checked) + " of " + launches(All) +
          " ran without checks, and " + number(Kernels - Covered) + " of " +
          count(Kernels, "kernel", "kernels") +
          (Kernels - Covered == 1 ? " was" : " were") + " not covered" +
          Processes + (hasGaps(Sum) ? ":\n" : ".\n");
  return Out + gapLines(Sum) + remarks(Sum);
}

std::string errors(const Summary &Sum, const std::string &FindingsFile) {
  std::set<std::string> Kernels;
  for (const Summary::FindingLine &Line : Sum.Findings)
    Kernels.insert(Line.Kernel);
  const uint64_t Found = Sum.Findings.size() + Sum.FindingsLost;
  std::string Out = "WarpSan: ";
  if (Found)
    Out += count(Found, "error", "errors") + " in " +
           count(std::max<size_t>(Kernels.size(), 1), "kernel", "kernels") +
           (Sum[Counter::findings_brief]
                ? ", " + number(Sum[Counter::findings_brief]) +
                      " of them not reported in full (max_findings)"
                : "") +
           ".";
  else
    Out += "checks failed, but no error could be described.";
  if (Found && !FindingsFile.empty())
    Out += " Full report: " + printable(FindingsFile);
  Out += "\n" + findingLines(Sum);

  const uint64_t All = launchesWanted(Sum);
  const uint64_t Checked = Sum[Counter::launches_checked];
  Out +=
      "  kernels    " + number(Sum[Counter::kernels_twin]) + " of " +
      number(Sum[Counter::kernels_launched] - Sum[Counter::kernels_left_out]) +
      " covered" + provenKernelsPart(Sum) + "\n";
  Out += "  launches   " + number(All) + ": " + number(Checked) + " checked" +
         provenPart(Sum) + ", " + number(All - Checked) + " not covered\n";
  Out += "  accesses   " + number(accesses(Sum)) + ": " +
         number(Sum[Counter::accesses_proven]) + " proven, " +
         number(Sum[Counter::accesses_checked]) + " checked\n";
  if (hasGaps(Sum))
    Out += "         These were not covered:\n" + gapLines(Sum);
  return Out + remarks(Sum);
}

} // namespace

std::string summaryText(const Summary &Sum, int64_t Verbosity,
                        const std::string &FindingsFile) {
  if (!Sum.Processes)
    return NotLoaded;
  std::string Out = hasErrors(Sum)            ? errors(Sum, FindingsFile)
                    : !Sum[Counter::launches] ? nothingLaunched(Sum)
                    : !Sum[Counter::launches_checked] ? nothingChecked(Sum)
                                                      : noErrors(Sum);
  Out += suppressionLines(Sum) + endPart(Sum);
  if (Verbosity >= 2)
    Out += timeLine(Sum);
  return Out;
}

} // namespace warpsan
