//===- report/text/expression.cpp - the expression at a place in a line ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/text/expression.h"

#include <algorithm>
#include <array>
#include <optional>

using namespace warpsan;

namespace {

bool isNameStart(char C) {
  // Letters outside of ASCII are allowed in names.
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_' ||
         static_cast<unsigned char>(C) >= 0x80;
}

bool isNamePart(char C) { return isNameStart(C) || (C >= '0' && C <= '9'); }

char closerOf(char Opener) { return Opener == '[' ? ']' : ')'; }
char openerOf(char Closer) { return Closer == ']' ? '[' : '('; }

/// Walks over one line, in both directions. All positions are byte indices;
/// forward ones are of the next byte to read, backward ones of the byte after
/// the next.
class Scanner {
public:
  explicit Scanner(std::string_view Line) : Line(Line) {}

  char at(size_t I) const { return I < Line.size() ? Line[I] : '\0'; }
  bool has(size_t I, std::string_view Text) const {
    return I <= Line.size() && Line.substr(I).starts_with(Text);
  }

  size_t skipSpaces(size_t I) const {
    while (at(I) == ' ' || at(I) == '\t')
      ++I;
    return I;
  }
  size_t skipSpacesBack(size_t I) const {
    while (I > 0 && (Line[I - 1] == ' ' || Line[I - 1] == '\t'))
      --I;
    return I;
  }
  size_t skipName(size_t I) const {
    while (isNamePart(at(I)))
      ++I;
    return I;
  }

  /// Past the bracket that closes the one at \p I.
  std::optional<size_t> skipBrackets(size_t I) const {
    const char Open = at(I), Close = closerOf(Open);
    for (size_t Depth = 0; I < Line.size(); ++I) {
      if (Line[I] == Open)
        ++Depth;
      else if (Line[I] == Close && --Depth == 0)
        return I + 1;
    }
    return std::nullopt;
  }
  /// The bracket that opens the one before \p I.
  std::optional<size_t> skipBracketsBack(size_t I) const {
    const char Close = Line[I - 1], Open = openerOf(Close);
    for (size_t Depth = 0; I > 0; --I) {
      if (Line[I - 1] == Close)
        ++Depth;
      else if (Line[I - 1] == Open && --Depth == 0)
        return I - 1;
    }
    return std::nullopt;
  }

  /// The end of an operand that starts at \p I: "*p", "(a + b)", "(int *)p",
  /// "a[i].b(c)". \p I itself if none does.
  size_t operandEnd(size_t I) const;
  /// The start of an operand that ends before \p I.
  size_t operandStart(size_t I) const;

private:
  /// Over [..], (..), .name and ->name.
  size_t suffixesEnd(size_t I) const;
  /// Before "." or "->" that ends before \p I.
  std::optional<size_t> beforeArrow(size_t I) const;
  /// Over unary * and the cast that it may go through.
  size_t dereferencesStart(size_t I) const;

  std::string_view Line;
};

size_t Scanner::suffixesEnd(size_t I) const {
  while (true) {
    size_t Next = skipSpaces(I);
    if (at(Next) == '[' || at(Next) == '(') {
      std::optional<size_t> After = skipBrackets(Next);
      if (!After)
        return I;
      I = *After;
      continue;
    }
    if (at(Next) == '.')
      Next = skipSpaces(Next + 1);
    else if (has(Next, "->"))
      Next = skipSpaces(Next + 2);
    else
      return I;
    if (!isNameStart(at(Next)))
      return I;
    I = skipName(Next);
  }
}

size_t Scanner::operandEnd(size_t I) const {
  size_t Start = I, End = I;
  while (true) {
    Start = skipSpaces(Start);
    if (at(Start) == '*' || at(Start) == '&') {
      ++Start;
      continue;
    }
    if (isNameStart(at(Start)))
      return suffixesEnd(skipName(Start));
    std::optional<size_t> After;
    if (at(Start) == '(')
      After = skipBrackets(Start);
    if (!After)
      return End;
    // A cast is followed by what it casts.
    Start = skipSpaces(*After);
    if (!isNameStart(at(Start)) && at(Start) != '(')
      return suffixesEnd(*After);
    End = *After;
  }
}

std::optional<size_t> Scanner::beforeArrow(size_t I) const {
  I = skipSpacesBack(I);
  if (I > 0 && Line[I - 1] == '.')
    return I - 1;
  if (I > 1 && Line[I - 1] == '>' && Line[I - 2] == '-')
    return I - 2;
  return std::nullopt;
}

size_t Scanner::dereferencesStart(size_t I) const {
  // "*(int *)p": a cast differs from "if (a)p" by the star before it.
  if (I > 0 && Line[I - 1] == ')') {
    std::optional<size_t> Open = skipBracketsBack(I);
    if (Open && *Open > 0 && Line[*Open - 1] == '*')
      I = *Open;
  }
  while (I > 0 && Line[I - 1] == '*') {
    size_t Before = skipSpacesBack(I - 1);
    char C = Before > 0 ? Line[Before - 1] : '\0';
    if (isNamePart(C) || C == ')' || C == ']')
      break; // a product
    --I;
  }
  return I;
}

size_t Scanner::operandStart(size_t I) const {
  size_t Start = skipSpacesBack(I);
  if (Start == 0)
    return I;
  while (true) {
    size_t Before = Start;
    bool Bracketed = false;
    while (Start > 0 && (Line[Start - 1] == ']' || Line[Start - 1] == ')')) {
      std::optional<size_t> Open = skipBracketsBack(Start);
      if (!Open)
        return I;
      Start = *Open;
      Bracketed = true;
    }
    while (Start > 0 && isNamePart(Line[Start - 1]))
      --Start;
    if (Start == Before && !Bracketed)
      return I;
    std::optional<size_t> Object = beforeArrow(Start);
    if (!Object)
      return dereferencesStart(Start);
    Start = skipSpacesBack(*Object);
  }
}

/// Length of the assignment operator at \p At, 0 if there is none.
size_t assignmentAt(const Scanner &S, size_t At) {
  static constexpr std::array<std::string_view, 11> Operators = {
      "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "="};
  if (S.has(At, "=="))
    return 0;
  for (std::string_view Operator : Operators)
    if (S.has(At, Operator))
      return Operator.size();
  return 0;
}

} // namespace

Span warpsan::expressionAt(std::string_view Line, size_t At) {
  Scanner S(Line);
  if (At >= Line.size() || S.skipSpaces(At) != At)
    return {At, At};
  if (size_t Length = assignmentAt(S, At))
    return {S.operandStart(At), At + Length};
  if (S.has(At, "++") || S.has(At, "--")) {
    size_t Start = S.operandStart(At);
    return {Start,
            Start < At ? At + 2 : std::max(At + 2, S.operandEnd(At + 2))};
  }
  size_t End = std::max(At + 1, S.operandEnd(At));
  if (!isNameStart(Line[At]))
    return {At, End};
  if (End == At + 1)
    End = S.skipName(At);
  // "s->values[i]", pointed at by its member's name.
  size_t Start = At;
  size_t Dot = S.skipSpacesBack(At);
  if (Dot > 0 && Line[Dot - 1] == '.')
    Start = S.operandStart(Dot - 1);
  else if (Dot > 1 && S.has(Dot - 2, "->"))
    Start = S.operandStart(Dot - 2);
  return {std::min(Start, At), End};
}
