//===- report/html/source.cpp - lines of the source, the access marked ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"
#include "report/parts.h"
#include "report/text/expression.h"

#include <algorithm>

using namespace warpsan;
using namespace warpsan::html;

namespace {

/// Generated code has lines of any length: so many bytes of one are shown.
constexpr size_t MostBytes = 1000;

/// Bytes [Begin, End) of \p Line; tabs stay tabs.
std::string code(std::string_view Line, size_t Begin, size_t End) {
  std::string Out;
  Begin = std::min(Begin, Line.size());
  End = std::clamp(End, Begin, Line.size());
  for (size_t At = Begin; At < End;) {
    const size_t Tab = std::min(Line.find('\t', At), End);
    Out += escape(Line.substr(At, Tab - At));
    if (Tab < End)
      Out += '\t';
    At = Tab + 1;
  }
  return Out;
}

/// A character of UTF-8 is not cut.
size_t startOfCharacter(std::string_view Line, size_t At) {
  while (At > 0 && At < Line.size() && (Line[At] & 0xC0) == 0x80)
    --At;
  return At;
}

std::string cut(std::string_view Line) {
  const size_t End =
      Line.size() > MostBytes ? startOfCharacter(Line, MostBytes) : Line.size();
  return code(Line, 0, End) + (End < Line.size() ? "..." : "");
}

/// The expression is marked, and in it the byte that debug information names.
std::string markedCode(std::string_view Line, size_t At) {
  const Span Of = expressionAt(Line, At);
  const size_t Next = startOfCharacter(Line, std::min(At + 4, Line.size()));
  size_t After = At + 1;
  while (After < Next && (Line[After] & 0xC0) == 0x80)
    ++After;
  const size_t Begin = std::min(Of.Begin, At), End = std::max(Of.End, After);
  const size_t From =
      Begin > MostBytes / 2 ? startOfCharacter(Line, Begin - MostBytes / 4) : 0;
  const size_t To = Line.size() - From > MostBytes && From + MostBytes > End
                        ? startOfCharacter(Line, From + MostBytes)
                        : std::min(Line.size(), End + MostBytes);
  return (From ? "..." : "") + code(Line, From, Begin) +
         element("mark", "",
                 code(Line, Begin, At) +
                     element("b", "", code(Line, At, After)) +
                     code(Line, After, End)) +
         code(Line, End, To) + (To < Line.size() ? "..." : "");
}

std::string_view withoutEnd(std::string_view Line) {
  const size_t Last = Line.find_last_not_of("\r\n");
  return Line.substr(0, Last == std::string_view::npos ? 0 : Last + 1);
}

std::string linesOf(const SourceExcerpt &Excerpt, const SourcePlace &Place) {
  std::string Out;
  for (size_t I = 0; I < Excerpt.Lines.size(); ++I) {
    const uint64_t Number = uint64_t{Excerpt.FirstLine} + I;
    const bool Here = Number == Place.Line;
    const std::string_view Line =
        withoutEnd(std::string_view(Excerpt.Lines[I]).substr(0, 1 << 16));
    const bool Marked = Here && Place.Column && Place.Column <= Line.size();
    Out += element(
        "span", Here ? "line here" : "line",
        element("span", "number", std::to_string(Number)) +
            (Marked ? markedCode(Line, Place.Column - 1) : cut(Line)) + "\n");
  }
  return Out;
}

} // namespace

std::string html::sourcePart(const Finding &F) {
  std::string Notes;
  for (const std::string &Note :
       {accessNote(F, /*Addresses=*/false), reasonNote(F)})
    if (!Note.empty())
      Notes += element("li", "", unbroken(Note));
  if (!Notes.empty())
    Notes = element("ul", "notes", Notes);
  if (!F.Excerpt || F.Excerpt->Lines.empty() || F.Site.At.empty())
    return Notes;
  const SourcePlace &Place = F.Site.At.front();
  return "<figure class=\"source\"><pre tabindex=\"0\" role=\"region\" "
         "aria-label=\"" +
         escape("source around " + placeText(Place)) + "\"><code>" +
         linesOf(*F.Excerpt, Place) + "</code></pre>" +
         (Notes.empty() ? "" : element("figcaption", "", Notes)) + "</figure>";
}
