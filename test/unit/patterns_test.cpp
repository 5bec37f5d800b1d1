//===- test/unit/patterns_test.cpp - choosing texts by patterns -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/patterns.h"

#include <gtest/gtest.h>

using namespace warpsan;

using Texts = std::vector<std::string>;

TEST(Patterns, AllOfATextMustMatch) {
  EXPECT_TRUE(matchesPattern("copy", "copy"));
  EXPECT_FALSE(matchesPattern("copy", "copy_tile"));
  EXPECT_FALSE(matchesPattern("copy_tile", "copy"));
  EXPECT_FALSE(matchesPattern("tile", "copy_tile"));
  EXPECT_TRUE(matchesPattern("", ""));
  EXPECT_FALSE(matchesPattern("", "a"));
}

TEST(Patterns, StarsAndQuestionMarks) {
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_TRUE(matchesPattern("copy*", "copy"));
  EXPECT_TRUE(matchesPattern("*tile*", "copy_tile_2"));
  EXPECT_TRUE(matchesPattern("a*b*c", "a_b_b_c"));
  EXPECT_FALSE(matchesPattern("a*b*c", "a_c_b"));
  EXPECT_TRUE(matchesPattern("k??", "k12"));
  EXPECT_FALSE(matchesPattern("k??", "k1"));
  EXPECT_FALSE(matchesPattern("?", ""));
  // What a shell or an expression would take for more is itself.
  EXPECT_TRUE(matchesPattern("f[0].x+", "f[0].x+"));
  EXPECT_FALSE(matchesPattern("f[0]", "f0"));
}

TEST(Patterns, ManyStarsTakeNoTime) {
  std::string Pattern;
  for (int I = 0; I < 2000; ++I)
    Pattern += "*a";
  EXPECT_FALSE(matchesPattern(Pattern + "b", std::string(20000, 'a')));
  EXPECT_TRUE(matchesPattern(Pattern, std::string(20000, 'a')));
}

TEST(Patterns, ListsAreJoinedWithCommas) {
  EXPECT_EQ(patternsIn("a,b*,c"), (Texts{"a", "b*", "c"}));
  EXPECT_EQ(patternsIn(",a,,"), Texts{"a"});
  EXPECT_EQ(patternsIn(""), Texts{});
}

TEST(Patterns, AKernelIsMeantByAnyOfItsNames) {
  EXPECT_TRUE(matchesKernel("vadd", "vadd"));
  const std::string Mangled = "_Z5scaleIfEvPT_S0_";
  EXPECT_TRUE(matchesKernel("_Z5scale*", Mangled));
  EXPECT_TRUE(matchesKernel("scale<float>", Mangled));
  EXPECT_TRUE(matchesKernel("*scale<float>(float*, float)", Mangled));
  EXPECT_FALSE(matchesKernel("scale", Mangled));
  EXPECT_FALSE(matchesKernel("scale<int>", Mangled));
}
