//===- test/report/excerpt_test.cpp - what is underlined in a source line -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/text/excerpt.h"
#include "report/text/expression.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

/// The expression at the caret of a line drawn below it.
std::string underlined(std::string_view Line, std::string_view Caret) {
  size_t At = Caret.find('^');
  Span S = expressionAt(Line, At);
  std::string Out(std::max(S.End, At + 1), ' ');
  for (size_t I = S.Begin; I < S.End; ++I)
    Out[I] = '~';
  Out[At] = '^';
  return Out;
}

#define EXPECT_UNDERLINED(Line, Marks) EXPECT_EQ(underlined(Line, Marks), Marks)

std::string excerpt(std::vector<std::string> Lines, uint32_t Column,
                    const std::vector<std::string> &Notes) {
  auto Last = static_cast<uint32_t>(Lines.size()) + 6;
  return excerptText({7, std::move(Lines)}, Last, Column, Notes, Paint());
}

} // namespace

TEST(Expression, ReadsStartAtTheirBase) {
  EXPECT_UNDERLINED("x = src[i + a[0]] * 2;", //
                    "    ^~~~~~~~~~~~~");
  EXPECT_UNDERLINED("x = s[i].values[k].w + 1;", //
                    "    ^~~~~~~~~~~~~~~~");
  EXPECT_UNDERLINED("x = p -> next -> v;", //
                    "    ^~~~~~~~~~~~~~");
  EXPECT_UNDERLINED("x = n;", //
                    "    ^");
  EXPECT_UNDERLINED("sum += total;", //
                    "       ^~~~~");
}

TEST(Expression, CallsHaveTheirArguments) {
  EXPECT_UNDERLINED("v = vload4(0, p + f(i));", //
                    "    ^~~~~~~~~~~~~~~~~~~");
  EXPECT_UNDERLINED("atomic_add (&c[i], 1);", //
                    "^~~~~~~~~~~~~~~~~~~~~");
}

TEST(Expression, WritesAreWhatIsLeftOfTheOperator) {
  EXPECT_UNDERLINED("  dest[row * ld + col] = tile[w];", //
                    "  ~~~~~~~~~~~~~~~~~~~~~^");
  EXPECT_UNDERLINED("if (ok) a[i] += 2;", //
                    "        ~~~~~^~");
  EXPECT_UNDERLINED("m[i][j] <<= 2;", //
                    "~~~~~~~~^~~");
  EXPECT_UNDERLINED("s->values[k] = 0;", //
                    "~~~~~~~~~~~~~^");
  EXPECT_UNDERLINED("x = 1; c[i]++;", //
                    "       ~~~~^~");
  EXPECT_UNDERLINED("++c[i];", //
                    "^~~~~~");
}

TEST(Expression, Dereferences) {
  EXPECT_UNDERLINED("x = *p + 1;", //
                    "    ^~");
  EXPECT_UNDERLINED("*(dest + i) = 3;", //
                    "~~~~~~~~~~~~^");
  EXPECT_UNDERLINED("*p = 3;", //
                    "~~~^");
  EXPECT_UNDERLINED("v = *(__global float4 *)(b + at);", //
                    "    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~");
  EXPECT_UNDERLINED("*(int *)p = 3;", //
                    "~~~~~~~~~~^");
  EXPECT_UNDERLINED("((float *)lut)[4] = 1;", //
                    "~~~~~~~~~~~~~~~~~~^");
}

TEST(Expression, MembersWithTheirObject) {
  EXPECT_UNDERLINED("x = s->pre + 1;", //
                    "    ~~~^~~");
  EXPECT_UNDERLINED("x = t.s[2].pre;", //
                    "    ~~~~~~~^~~");
}

TEST(Expression, WhatIsNotSureIsNotUnderlined) {
  EXPECT_UNDERLINED("x = src[i +", //
                    "    ^~~");
  EXPECT_UNDERLINED("] = 3;", //
                    "  ^");
  EXPECT_UNDERLINED("x == y", //
                    "  ^");
  EXPECT_UNDERLINED("a * b", //
                    "    ^");
}

TEST(Excerpt, NotesStandBesideTheCaret) {
  EXPECT_EQ(excerpt({"int i;", "", "a[i] = b;"}, 6, {"writes", "has"}),
            "     7 | int i;\n"
            "     8 |\n"
            "  >  9 | a[i] = b;\n"
            "       | ~~~~~^ writes\n"
            "       |        has\n");
}

TEST(Excerpt, NumbersOfDifferentLengthAreAligned) {
  EXPECT_EQ(excerpt({"a", "b", "c", "d"}, 1, {}), "      7 | a\n"
                                                  "      8 | b\n"
                                                  "      9 | c\n"
                                                  "  >  10 | d\n"
                                                  "        | ^\n");
}

TEST(Excerpt, TabsAndLongCharactersKeepTheCaretInPlace) {
  EXPECT_EQ(excerpt({"\tx\ty /* \xC3\xA9 */ = z[1];\r"}, 17, {}),
            "  >  7 |     x   y /* \xC3\xA9 */ = z[1];\n"
            "       |                     ^~~~\n");
}

TEST(Excerpt, NotesThatDoNotFitGoBelow) {
  std::string Line(60, ' ');
  Line += "a[i];";
  EXPECT_EQ(excerpt({Line}, 61, {"writes 4 bytes (float) at byte 20", "has"}),
            "  >  7 | " + Line + "\n       | " + std::string(60, ' ') +
                "^~~~\n"
                "       | writes 4 bytes (float) at byte 20\n"
                "       | has\n");
}

TEST(Excerpt, ALongLineIsShownAroundTheExpression) {
  std::string Line =
      std::string(200, 'b') + " a[i] = c;" + std::string(90, 'd');
  EXPECT_EQ(excerpt({Line}, 207, {"note"}),
            "  >  7 | ..." + std::string(16, 'b') + " a[i] = c;" +
                std::string(55, 'd') +
                "...\n"
                "       |                     ~~~~~^ note\n");
}

TEST(Excerpt, WithoutAColumnThereIsNoCaret) {
  EXPECT_EQ(excerpt({"a[i] = b;"}, 0, {"writes"}), "  >  7 | a[i] = b;\n"
                                                   "       | writes\n");
}

TEST(Excerpt, ALineThatItDoesNotHaveGivesNothing) {
  EXPECT_EQ(excerptText({7, {"a"}}, 8, 1, {"note"}, Paint()), "");
  EXPECT_EQ(excerptText({7, {"a"}}, 6, 1, {"note"}, Paint()), "");
  EXPECT_EQ(excerptText({7, {}}, 7, 1, {"note"}, Paint()), "");
}
