//===- report/html/finding.cpp - one finding of the HTML report -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the text report: what happened, where, which memory, who and
// how often, who made the memory, what was done about it.
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

using namespace warpsan;
using namespace warpsan::html;

namespace {

/// "512 work-items in 3 launches, in 2 processes".
std::string howOften(const CollectedFinding &Of) {
  const Finding &F = Of.First;
  const Vocabulary &Words = wordsFor(F);
  std::string Out;
  if (F.Kind == FindingKind::leak)
    Out = count(Of.Items, "allocation", "allocations");
  else if (!F.Call.empty())
    Out = count(Of.Launches, "time", "times");
  else
    Out = (Of.Items ? count(Of.Items, Words.Item, Words.Items) + " in " : "") +
          count(Of.Launches, "launch", "launches");
  if (Of.Processes > 1)
    Out += ", in " + number(Of.Processes) + " processes";
  return Out;
}

/// The place of the access, and how it came into the kernel.
std::string placesPart(const Finding &F) {
  if (!F.Call.empty())
    return element("p", "where",
                   "in <code>" +
                       escape(asCalled(F.Call, F.Launch.Launched).Call) +
                       "</code>");
  const std::vector<SourcePlace> &At = F.Site.At;
  std::string Kernel =
      "kernel <code>" + escape(kernelName(F.Kernel)) + "</code>";
  if (At.empty())
    return element("p", "where", Kernel);
  std::string Items;
  for (size_t I = 0; I < At.size(); ++I) {
    const bool InKernel = I + 1 == At.size();
    std::string Part = I ? "called " : "";
    if (InKernel)
      Part += "in " + Kernel + " ";
    else if (!At[I].Function.empty())
      Part += "in <code>" + escape(At[I].Function) + "</code> ";
    Items += element("li", "",
                     Part + "at <code>" + escape(placeText(At[I])) + "</code>");
  }
  std::string Out = element("ol", "where", Items);
  if (const std::string Program = programNote(F); !Program.empty())
    Out += element("p", "where", escape(Program));
  return Out;
}

/// What the error may be a consequence of, with a link to \p Cause.
std::string followsPart(const Finding &F, const std::string &Cause) {
  if (!F.Follows)
    return {};
  std::string Note = escape(followsNote(F, SIZE_MAX));
  const std::string Id = escape(F.Follows->Id);
  if (const size_t At = Note.find(Id); !Cause.empty() && At != Note.npos)
    Note.replace(At, Id.size(), "<a href=\"#" + Cause + "\">" + Id + "</a>");
  return element("p", "follows", Note);
}

std::string fact(const char *Name, const std::string &Value) {
  return element("div", "", element("dt", "", Name) + element("dd", "", Value));
}

/// Numbers of the memory and the access.
std::string infoPart(const Finding &F) {
  std::string Info;
  if (F.Size)
    Info += fact("checked against", escape(bytes(F.Size)));
  if (F.ElementSize)
    Info += fact("element", escape(bytes(F.ElementSize)));
  if (F.Memory.What == MemoryInfo::Kind::SubBuffer)
    Info +=
        fact("part of", escape("a buffer of " + bytes(F.Memory.ParentSize) +
                               ", from byte " + number(F.Memory.SubOffset)));
  if (F.Call.empty() && F.Bytes)
    Info += fact("access", escape(bytes(F.Bytes)));
  if (F.Call.empty() && F.Site.Align > 1)
    Info += fact("alignment", escape(bytes(F.Site.Align)));
  if (!F.Launch.Device.empty())
    Info += fact("device", escape(F.Launch.Device));
  if (F.Launch.Number)
    Info += fact("first in", "launch " + number(F.Launch.Number));
  return Info.empty() ? "" : element("dl", "facts", Info);
}

std::string memoryPart(const Finding &F) {
  std::string Line = memoryLine(F, SIZE_MAX);
  if (!Line.empty())
    Line = element("p", "", unbroken(Line));
  if (std::string Near = nearLine(F); !Near.empty())
    Line = element("p", "", unbroken(Near)) + Line;
  std::string Inside = memoryPicture(F) + Line + infoPart(F);
  return Inside.empty() ? ""
                        : element("section", "memory",
                                  element("h4", "", "Memory") + Inside);
}

std::string tracePart(const HostTrace &Trace) {
  std::string Summary = element("b", "", Trace.Verb);
  if (!Trace.Call.empty())
    Summary += " <code>" + escape(Trace.Call) + "</code>";
  if (Trace.Frames.empty())
    return element("p", "trace", Summary);
  std::string Frames;
  for (const HostTrace::Frame &Frame : Trace.Frames)
    Frames += element("li", "",
                      "<code>" + escape(Frame.Function) + "</code> " +
                          element("span", "place", escape(Frame.Place)));
  const HostTrace::Frame &First = Trace.Frames.front();
  Summary +=
      " " + element("span", "place",
                    escape(First.Place.empty() ? First.Function : First.Place));
  return element("details", "trace",
                 element("summary", "", Summary) + element("ol", "", Frames));
}

std::string hostPart(const Finding &F) {
  std::string Traces;
  for (const HostTrace &Trace : hostTracesOf(F, /*Offsets=*/false))
    Traces += tracePart(Trace);
  return Traces.empty() ? ""
                        : element("section", "host",
                                  element("h4", "", "On the host") + Traces);
}

std::string canaryPart(const Finding &F) {
  if (!F.Canary)
    return {};
  std::string Out = "Seen by a canary after the launch had ended. ";
  if (!F.Canary->Alone)
    Out += "Another launch with the same memory was under way, and it may have "
           "been that one. ";
  return element(
      "p", "",
      Out + "The kernel could not be instrumented: " + escape(F.Canary->Why));
}

/// One line that tells a folded finding from the others.
std::string summaryLine(const CollectedFinding &Of) {
  const Finding &F = Of.First;
  std::string Line = element("code", "id", escape(F.Id)) + " " +
                     element("span", "subject", escape(subjectName(F)));
  if (!F.Site.At.empty())
    Line +=
        " " + element("span", "place", escape(placeText(F.Site.At.front())));
  return element("span", "meta",
                 Line + " " + element("span", "often", escape(howOften(Of))));
}

/// Whose mistake it is that this had not been found.
std::string refutedPart(const Finding &F) {
  if (!F.Refuted)
    return {};
  std::string Lines;
  for (const std::string &Claim : F.Refuted->Claims)
    Lines += "proven: " + escape(Claim) + "\n";
  for (const std::string &Value : F.Refuted->Values)
    Lines += "launch: " + escape(Value) + "\n";
  return element("p", "refuted", escape(refutedNote(F))) +
         element("pre", "refuted", Lines);
}

} // namespace

std::string html::findingPart(const CollectedFinding &Of,
                              const std::string &Anchor,
                              const std::string &Cause, bool Open) {
  const Finding &F = Of.First;
  std::string Body = placesPart(F) + followsPart(F, Cause) + sourcePart(F) +
                     memoryPart(F) + rangeMap(F) + hostPart(F) + canaryPart(F) +
                     element("p", "outcome", escape(outcomeOf(F))) +
                     refutedPart(F) + "<p class=\"permalink\">" +
                     "<a href=\"#" + Anchor + "\">Link to " + escape(F.Id) +
                     "</a></p>";
  return "<details class=\"finding\"" + std::string(Open ? " open" : "") +
         " data-kind=\"" + nameOf(F.Kind) + "\" data-kernel=\"" +
         escape(subjectName(F)) + "\">\n<summary><h3>" + escape(titleOf(F)) +
         "</h3>" + summaryLine(Of) + "</summary>\n<div class=\"body\" id=\"" +
         Anchor + "\">" + Body + "</div>\n</details>\n";
}
