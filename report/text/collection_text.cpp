//===- report/text/collection_text.cpp - a whole report as text or lines --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "report/report.h"
#include "report/text/paint.h"
#include "report/vocabulary.h"
#include "text/format.h"

using namespace warpsan;

namespace {

/// "  3 launches, 1,536 work-items, 2 processes": what the first report of it
/// does not say. Empty if it came once.
std::string timesOf(const CollectedFinding &F) {
  if (F.Launches <= 1 && F.Processes <= 1 && F.Items <= F.First.Items)
    return {};
  const Vocabulary &Words = wordsFor(F.First);
  std::string Out = "  Over all: ";
  if (!F.First.Call.empty())
    Out += F.First.Kind == FindingKind::leak
               ? count(F.Items, "allocation", "allocations")
               : count(F.Items, "call", "calls");
  else if (F.Items)
    Out += count(F.Items, Words.Item, Words.Items) + " in " +
           count(F.Launches, "launch", "launches");
  else // a canary does not know them
    Out += count(F.Launches, "launch", "launches");
  if (F.Processes > 1)
    Out += " of " + count(F.Processes, "process", "processes");
  return Out + ".\n";
}

std::string withoutSummary(const Collection &All) {
  const size_t Found = All.Findings.size() + All.Untold.size();
  std::string Out = "WarpSan: ";
  Out += Found ? count(Found, "error", "errors") + "." : "no errors.";
  return Out + " Coverage is unknown: no summary was read.\n";
}

} // namespace

std::string warpsan::textOf(const CollectedFinding &F, const TextStyle &Style) {
  return textOf(F.First, Style) + timesOf(F);
}

std::string warpsan::textOf(const Collection &All, const TextStyle &Style) {
  std::string Out;
  for (const CollectedFinding &F : All.Findings)
    Out += textOf(F, Style) + "\n";
  const Paint Brush{Style.Color};
  for (const Summary::FindingLine &Line : All.Untold)
    Out +=
        Brush.strong("WarpSan: ") +
        Brush.error(Line.Title.empty() ? "an error" : printable(Line.Title)) +
        "  " + Brush.faint(printable(Line.Id)) +
        "\n  No details: max_findings was reached, or the findings file was "
        "not "
        "given.\n\n";
  return Out +
         (All.Coverage ? summaryText(*All.Coverage) : withoutSummary(All));
}

std::string warpsan::jsonOf(const Collection &All) {
  std::string Out;
  for (const CollectedFinding &F : All.Findings)
    Out += jsonOf(F);
  for (const Summary::FindingLine &Line : All.Untold)
    if (Line.Title.empty()) // the summary does not know it either
      Out += jsonOfRepeat(Line.Id, Line.Fingerprint, 0, Line.WorkItems, 0);
  return All.Coverage ? Out + summaryJson(*All.Coverage, true) : Out;
}
