//===- test/unit/options_test.cpp - options and their text ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "options/options.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace warpsan;

TEST(Options, DefaultsAreThoseOfTheTable) {
  Options Opts;
  for (const OptionInfo &Info : allOptions()) {
    Options Set;
    EXPECT_EQ(setOption(Set, Info.Name, Info.Default), "") << Info.Name;
  }
  EXPECT_EQ(Opts.launch, "twin");
  EXPECT_FALSE(Opts.require_coverage);
  EXPECT_EQ(Opts.exit_code_coverage, 67);
}

TEST(Options, EveryTypeIsParsed) {
  Options Opts;
  EXPECT_TRUE(parseOptions(Opts, "launch=native:require_coverage=1:cache_mb=5")
                  .empty());
  EXPECT_EQ(Opts.launch, "native");
  EXPECT_TRUE(Opts.require_coverage);
  EXPECT_EQ(Opts.cache_mb, 5);
}

TEST(Options, LastValueWinsAndEmptyPairsAreSkipped) {
  Options Opts;
  EXPECT_TRUE(parseOptions(Opts, ":verbosity=0::verbosity=2:").empty());
  EXPECT_EQ(Opts.verbosity, 2);
}

TEST(Options, ValuesMayHoldColonsBackslashesAndEqualSigns) {
  for (std::string Value : {"/a:b", "\\", "a\\:b\\\\", "x=y", ":", "a\\b"}) {
    Options Opts;
    std::string Text =
        formatOption("cache_dir", Value) + ":" + formatOption("verbosity", "2");
    EXPECT_TRUE(parseOptions(Opts, Text).empty()) << Text;
    EXPECT_EQ(Opts.cache_dir, Value);
    EXPECT_EQ(Opts.verbosity, 2);
  }
}

TEST(Options, BackslashBeforeAnythingElseStaysItself) {
  Options Opts;
  EXPECT_TRUE(parseOptions(Opts, "cache_dir=a\\b").empty());
  EXPECT_EQ(Opts.cache_dir, "a\\b");
}

TEST(Options, LoneBackslashAtTheEndIsRefused) {
  Options Opts;
  ASSERT_EQ(parseOptions(Opts, "cache_dir=a\\").size(), 1U);
}

TEST(Options, WrongPairsAreNamedAndTheOthersTaken) {
  Options Opts;
  std::vector<std::string> Problems = parseOptions(
      Opts, "launch=both:cache_mb=many:require_coverage=yes:verbosity:lunch="
            "twin:compile_mb=7");
  ASSERT_EQ(Problems.size(), 5U);
  EXPECT_EQ(Problems[0], "option 'launch' takes twin or native, not 'both'.");
  EXPECT_EQ(Problems[1], "option 'cache_mb' takes a whole number, not 'many'.");
  EXPECT_EQ(Problems[2], "option 'require_coverage' takes 0 or 1, not 'yes'.");
  EXPECT_EQ(Problems[3],
            "option 'verbosity' has no value; write verbosity=VALUE.");
  EXPECT_EQ(Problems[4], "there is no option 'lunch'; did you mean 'launch'?");
  EXPECT_EQ(Opts.compile_mb, 7);
  EXPECT_EQ(Opts.launch, "twin");
}

/// They are printed: a terminal must not obey what was in the environment.
TEST(Options, ProblemsHaveNoControlCharacters) {
  Options Opts;
  for (const char *Text : {"verbosity=\x1b[31m", "\x1b]0;x\a=1", "\x1b[2J",
                           "launch=\x9b\\", "\xe2\x80\xae=2"})
    for (const std::string &Problem : parseOptions(Opts, Text))
      for (char C : Problem)
        EXPECT_TRUE(C >= ' ' && C < '\x7f') << Problem;
}

TEST(Options, WhatHasNoEffectBesideAnotherIsSaid) {
  auto Conflict = [](const char *Text) {
    Options Opts;
    EXPECT_TRUE(parseOptions(Opts, Text).empty()) << Text;
    return conflictIn(Opts);
  };
  EXPECT_EQ(Conflict("races=on"), "");
  EXPECT_EQ(Conflict("scheme=lmi:checks=none"), "");
  EXPECT_EQ(Conflict("races=on:scheme=lmi"),
            "option 'races' has no effect with scheme=lmi; omit one of the "
            "two.");
  EXPECT_EQ(Conflict("races=on:checks=none"),
            "option 'races' has no effect with checks=none; omit one of the "
            "two.");
  // Then everything is checked.
  EXPECT_EQ(Conflict("races=on:checks=none:untrusted_kernels=1"), "");
}

TEST(Options, ChoicesAreTheWordsThatAnOptionTakes) {
  auto Choices = [](std::string_view Name) {
    return std::ranges::find(allOptions(), Name, &OptionInfo::Name)->Choices;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(Choices("races"), Words({"off", "on"}));
  EXPECT_EQ(Choices("require_coverage"), Words({"0", "1"}));
  EXPECT_EQ(Choices("verbosity"), Words({"0", "1", "2"}));
  EXPECT_EQ(Choices("exit_code"), Words());
  EXPECT_EQ(Choices("cache_dir"), Words());
  for (const OptionInfo &Info : allOptions())
    for (const std::string &Word : Info.Choices) {
      Options Opts;
      EXPECT_EQ(setOption(Opts, Info.Name, Word), "");
    }
}

TEST(Options, NumbersOutOfRangeAreRefused) {
  Options Opts;
  EXPECT_NE(setOption(Opts, "exit_code_coverage", "0"), "");
  EXPECT_NE(setOption(Opts, "exit_code_coverage", "256"), "");
  EXPECT_NE(setOption(Opts, "compile_seconds", "-1"), "");
  EXPECT_NE(setOption(Opts, "cache_mb", "99999999999999999999"), "");
  EXPECT_NE(setOption(Opts, "cache_mb", ""), "");
  EXPECT_NE(setOption(Opts, "cache_mb", " 5"), "");
  EXPECT_EQ(setOption(Opts, "exit_code_coverage", "255"), "");
}

TEST(Options, CachePathFollowsTheOptionThenXdgThenHome) {
  Options Opts;
  setenv("HOME", "/home/a", 1);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cachePath(Opts), "/home/a/.cache/warpsan");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(cachePath(Opts), "/home/a/.cache/warpsan");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(cachePath(Opts), "/cache/warpsan");
  Opts.cache_dir = "/mine";
  EXPECT_EQ(cachePath(Opts), "/mine");
  Opts.cache_dir = "off";
  EXPECT_EQ(cachePath(Opts), "");
  Opts.cache_dir = "";
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(cachePath(Opts), "");
}
