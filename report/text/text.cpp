//===- report/text/text.cpp - a finding as a person reads it --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Top down, so that one can stop as soon as one knows enough: what happened,
// where in the source, which memory, who and how often, who made the memory,
// what was done about it. What is not known leaves no trace.
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/text/excerpt.h"
#include "report/text/memory_diagram.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>

using namespace warpsan;

namespace {

std::string titleLine(const Finding &F, const Paint &Brush) {
  const std::string Start = "WarpSan: ";
  const std::string Title = titleOf(F);
  size_t Has = width(Start) + width(Title) + width(F.Id);
  size_t Gap = Has + 2 < Brush.Columns ? Brush.Columns - Has : 2;
  return Brush.strong(Start) + Brush.error(Title) + std::string(Gap, ' ') +
         Brush.faint(printable(F.Id)) + "\n";
}

/// "kernel K at f.cl:4:3", or with the functions that were inlined:
/// "kernel K, in put at f.cl:4:3, called at f.cl:20:5". Then a line for the
/// program, if its source has no name.
std::string kernelLines(const Finding &F, size_t Columns) {
  const std::vector<SourcePlace> &At = F.Site.At;
  if (!F.Call.empty())
    return "  in " + printable(asCalled(F.Call, F.Launch.Launched).Call) + "\n";
  std::string Line = "  kernel " + printable(kernelName(F.Kernel));
  if (At.empty())
    return Line + "\n";
  std::string Program = programNote(F);
  if (!Program.empty())
    Program = "    " + Program + "\n";
  if (At.size() == 1)
    return Line + " at " + placeText(At.front()) + "\n" + Program;
  std::string Out;
  for (size_t I = 0; I < At.size(); ++I) {
    const bool InKernel = I + 1 == At.size();
    std::string Part = I ? "called" : "in";
    if (!InKernel && !At[I].Function.empty())
      Part += (I ? " by " : " ") + printable(At[I].Function);
    if (I || !At[I].Function.empty())
      Part += " ";
    else
      Part.clear();
    Part += "at " + placeText(At[I]);
    if (I && width(Line) + 2 + width(Part) > Columns) {
      Out += Line + ",\n";
      Line = "    " + Part;
    } else {
      Line += ", " + Part;
    }
  }
  return Out + Line + "\n" + Program;
}

/// What the error may be a consequence of.
std::string followsLine(const Finding &F, size_t Columns) {
  constexpr size_t Indent = 2;
  std::string Note = followsNote(F, Columns - Indent);
  if (const size_t End = Note.find('\n'); End != std::string::npos)
    Note.replace(End, 1, "\n  ");
  return Note.empty() ? "" : "  " + Note + "\n";
}

/// The source with the notes beside it, or the notes alone.
std::string sourceSection(const Finding &F, const TextStyle &Style,
                          const Paint &Brush) {
  std::vector<std::string> Notes = {accessNote(F, Style.Addresses),
                                    reasonNote(F)};
  std::erase(Notes, "");
  if (F.Excerpt && !F.Site.At.empty()) {
    const SourcePlace &Place = F.Site.At.front();
    std::string Out =
        excerptText(*F.Excerpt, Place.Line, Place.Column, Notes, Brush);
    if (!Out.empty())
      return Out;
  }
  std::string Out;
  for (const std::string &Note : Notes)
    Out += "  " + Note + "\n";
  return Out;
}

std::string pictureSection(const Finding &F, const Paint &Brush) {
  std::string Picture = pictureOf(F, labelOf(F), Brush);
  const std::string Near = nearLine(F);
  return (Picture.empty() ? "" : "  " + Picture + "\n") +
         (Near.empty() ? "" : "  " + Near + "\n");
}

std::string workItemSection(const Finding &F, size_t Columns) {
  if (!F.Call.empty())
    return {};
  const Vocabulary &Words = wordsFor(F);
  const std::string Range = rangeOf(F);
  if (F.Canary)
    return std::string("  a ") + Words.Item + " " + Range +
           "; which one is not known\n";
  std::string Line = "  " + itemOf(F);
  Line += width(Line) + 3 + width(Range) <= Columns ? "   " : "\n  ";
  Line += Range + "\n";
  if (F.Items > 1)
    Line += "  and " + number(F.Items - 1) + " more " +
            (F.Items == 2 ? Words.Item : Words.Items) + " in this launch\n";
  return Line;
}

/// How it was seen, and what that leaves open.
std::string canarySection(const Finding &F) {
  if (!F.Canary)
    return {};
  std::string Out = "  Seen by a canary after the launch had ended.\n";
  if (!F.Canary->Alone)
    Out +=
        "  Another launch with the same memory was under way, and it may have "
        "been that one.\n";
  return Out +
         "  The kernel could not be instrumented: " + printable(F.Canary->Why) +
         "\n";
}

/// Whose mistake it is that this had not been found, and what to do.
std::string refutedSection(const Finding &F) {
  if (!F.Refuted)
    return {};
  std::string Note = refutedNote(F); // a line each sentence
  if (const size_t End = Note.find(". "); End != std::string::npos)
    Note.replace(End, 2, ".\n  ");
  std::string Out = "  " + Note + "\n";
  for (const std::string &Claim : F.Refuted->Claims)
    Out += "    proven: " + printable(Claim) + "\n";
  for (const std::string &Value : F.Refuted->Values)
    Out += "    launch: " + printable(Value) + "\n";
  return Out;
}

std::string memorySection(const Finding &F, const TextStyle &Style) {
  std::string Line = memoryLine(F, Style.Columns - 2);
  return (Line.empty() ? "" : "  " + Line + "\n") +
         backtracesText(F, Style, Line.empty() ? 2 : 4) + canarySection(F) +
         "  " + outcomeOf(F) + "\n";
}

} // namespace

std::string warpsan::textOf(const Finding &F, const TextStyle &Style) {
  const Paint Brush{Style.Color, Style.Columns};
  std::string Out = titleLine(F, Brush) + kernelLines(F, Style.Columns) +
                    followsLine(F, Style.Columns);
  for (const std::string &Section :
       {sourceSection(F, Style, Brush), pictureSection(F, Brush),
        workItemSection(F, Style.Columns), refutedSection(F),
        memorySection(F, Style)})
    if (!Section.empty())
      Out += "\n" + Section;
  return Out;
}
