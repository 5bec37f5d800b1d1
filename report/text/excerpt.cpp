//===- report/text/excerpt.cpp - lines of the source with a caret ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/text/excerpt.h"

#include "report/text/expression.h"
#include "text/format.h"

#include <algorithm>

using namespace warpsan;

namespace {

/// Columns beside a source line: the gutter.
constexpr size_t GutterColumns = 10;
/// Generated code has lines of any length; what comes after is not looked at.
constexpr size_t MostBytes = 1 << 16;
constexpr size_t TabStop = 4;

/// A source line cut into what is shown in each column, so that a caret can be
/// put under a byte whatever tabs, escapes and long characters come before it.
struct Columns {
  std::vector<std::string> Cells;
  std::vector<size_t> OfByte; ///< column of each byte, and of the end

  explicit Columns(std::string_view Line) {
    OfByte.reserve(Line.size() + 1);
    for (size_t At = 0; At < Line.size();) {
      size_t Length = characterLength(Line, At);
      OfByte.insert(OfByte.end(), std::max<size_t>(Length, 1), Cells.size());
      if (Length) {
        Cells.emplace_back(Line.substr(At, Length));
      } else if (Line[At] == '\t') {
        do
          Cells.emplace_back(" ");
        while (Cells.size() % TabStop);
      } else {
        for (char C : escaped(Line[At]))
          Cells.emplace_back(1, C);
      }
      At += std::max<size_t>(Length, 1);
    }
    OfByte.push_back(Cells.size());
  }

  /// Columns [From, From + Most), with dots where something is cut.
  std::string window(size_t From, size_t Most) const {
    const std::string Dots = "...";
    std::string Out;
    size_t To = std::min(Cells.size(), From + Most);
    for (size_t I = From; I < To; ++I)
      Out += Cells[I];
    if (From > 0 && From < To)
      Out = Dots + Out.substr(firstBytes(From, Dots.size()));
    if (To < Cells.size())
      Out += Dots;
    size_t Last = Out.find_last_not_of(' ');
    return Last == std::string::npos ? "" : Out.substr(0, Last + 1);
  }

private:
  size_t firstBytes(size_t From, size_t Count) const {
    size_t Bytes = 0;
    for (size_t I = From; I < std::min(Cells.size(), From + Count); ++I)
      Bytes += Cells[I].size();
    return Bytes;
  }
};

std::string_view withoutEnd(std::string_view Line) {
  Line = Line.substr(0, MostBytes);
  size_t Last = Line.find_last_not_of("\r\n");
  return Line.substr(0, Last == std::string_view::npos ? 0 : Last + 1);
}

/// The underline: spaces, then ~ with the caret among them.
struct Underline {
  size_t Begin = 0, Caret = 0, End = 0; ///< columns shown
};

Underline underlineOf(std::string_view Line, const Columns &Shown, size_t At,
                      size_t From, size_t Most) {
  Span Expression = expressionAt(Line, At);
  auto Column = [&](size_t Byte) {
    size_t C = Shown.OfByte[std::min(Byte, Line.size())];
    return std::clamp(C, From, From + Most) - From;
  };
  Underline U;
  U.Caret = Column(At);
  U.Begin = std::min(Column(Expression.Begin), U.Caret);
  U.End = std::max(Column(Expression.End), U.Caret + 1);
  return U;
}

/// The first column shown of a line too long to be shown whole: a little before
/// the expression, or before the caret if the expression is as long itself.
size_t windowStart(std::string_view Line, const Columns &Shown, size_t At,
                   size_t Most) {
  constexpr size_t Before = 20;
  Span Expression = expressionAt(Line, At);
  size_t Begin = Shown.OfByte[std::min(Expression.Begin, At)];
  size_t End = Shown.OfByte[std::max(Expression.End, At + 1)];
  if (End <= Most)
    return 0;
  if (End - Begin > Most - Before)
    Begin = Shown.OfByte[At];
  return Begin < Before ? 0 : Begin - Before;
}

std::string drawn(const Underline &U) {
  std::string Mark(U.End - U.Begin, '~');
  Mark[U.Caret - U.Begin] = '^';
  return Mark;
}

/// Left of the bar: "  >  41", or spaces for a line without a number.
std::string gutter(const std::string &Number, size_t Digits, bool Marked,
                   const Paint &Brush) {
  return (Marked ? "  " + Brush.mark(">") + " " : std::string(4, ' ')) +
         std::string(Digits + 1 - Number.size(), ' ') + Number + " |";
}

} // namespace

std::string warpsan::excerptText(const SourceExcerpt &Excerpt, uint32_t Line,
                                 uint32_t Column,
                                 const std::vector<std::string> &Notes,
                                 const Paint &Brush) {
  if (Line < Excerpt.FirstLine ||
      Line - Excerpt.FirstLine >= Excerpt.Lines.size())
    return {};
  const size_t Marked = Line - Excerpt.FirstLine;
  const size_t Most = Brush.Columns - GutterColumns;
  const std::string_view Source = withoutEnd(Excerpt.Lines[Marked]);
  const Columns Shown(Source);
  const bool HasCaret = Column > 0 && Column <= Source.size();

  const size_t From =
      HasCaret ? windowStart(Source, Shown, Column - 1, Most) : 0;

  const size_t Digits = std::to_string(Line).size();
  std::string Out;
  for (size_t I = 0; I <= Marked; ++I) {
    std::string Text = Columns(withoutEnd(Excerpt.Lines[I]))
                           .window(I == Marked ? From : 0, Most);
    Out += gutter(std::to_string(Excerpt.FirstLine + I), Digits, I == Marked,
                  Brush) +
           (Text.empty() ? "" : " ") + Text + "\n";
  }

  const std::string Bar = gutter("", Digits, false, Brush) + " ";
  size_t Indent = 0;
  size_t Next = 0; // of the notes
  if (HasCaret) {
    Underline U = underlineOf(Source, Shown, Column - 1, From, Most);
    Out += Bar + std::string(U.Begin, ' ') + Brush.mark(drawn(U));
    size_t Longest = 0;
    for (const std::string &Note : Notes)
      Longest = std::max(Longest, width(Note));
    if (!Notes.empty() && width(Bar) + U.End + 1 + Longest <= Brush.Columns) {
      Indent = U.End + 1;
      Out += " " + Notes[Next++];
    }
    Out += "\n";
  }
  for (; Next < Notes.size(); ++Next)
    Out += Bar + std::string(Indent, ' ') + Notes[Next] + "\n";
  return Out;
}
