//===- test/report/golden_test.cpp - reports as users and tools see them --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace warpsan;
using samples::Sample;

namespace {

std::string fileOf(const std::string &Name) {
  return std::string(WARPSAN_GOLDEN "/") + Name;
}

/// Compares with the golden file, or writes it: the target report_golden.
void expectGolden(const std::string &Name, const std::string &Text) {
  if (std::getenv("WARPSAN_WRITE_GOLDEN")) {
    std::ofstream(fileOf(Name), std::ios::binary) << Text;
    return;
  }
  std::ifstream In(fileOf(Name), std::ios::binary);
  ASSERT_TRUE(In) << "there is no " << fileOf(Name);
  std::stringstream Wanted;
  Wanted << In.rdbuf();
  EXPECT_EQ(Text, Wanted.str());
}

class Golden : public testing::TestWithParam<Sample> {};

} // namespace

TEST_P(Golden, Text) {
  const Sample &S = GetParam();
  expectGolden(std::string(S.Name) + ".txt",
               textOf(S.Of.finding(), S.Of.Style));
}

/// Indented, so that a change can be read.
TEST_P(Golden, Json) {
  const Sample &S = GetParam();
  std::string Line = jsonOf(S.Of.finding());
  EXPECT_EQ(Line.find('\n'), Line.size() - 1) << "one line, with its end";
  auto Object = nlohmann::ordered_json::parse(Line);
  expectGolden(std::string(S.Name) + ".json", Object.dump(2) + "\n");
}

INSTANTIATE_TEST_SUITE_P(, Golden, testing::ValuesIn(samples::all()),
                         [](const auto &Info) { return Info.param.Name; });

TEST(GoldenFiles, AreAllOfSomeSample) {
  std::set<std::string> Known;
  for (const Sample &S : samples::all()) {
    Known.insert(std::string(S.Name) + ".txt");
    Known.insert(std::string(S.Name) + ".json");
  }
  for (const auto &Entry : std::filesystem::directory_iterator(WARPSAN_GOLDEN))
    EXPECT_TRUE(Known.contains(Entry.path().filename().string()))
        << Entry.path();
}

TEST_P(Golden, ColorsAddNothingElse) {
  const Sample &S = GetParam();
  TextStyle Colored = S.Of.Style;
  Colored.Color = true;
  std::string Text = textOf(S.Of.finding(), Colored);
  EXPECT_NE(Text.find("\033[0m"), std::string::npos);
  EXPECT_EQ(std::regex_replace(Text, std::regex("\033\\[[0-9;]*m"), ""),
            textOf(S.Of.finding(), S.Of.Style));
}

TEST(Text, WhatAnErrorMayFollowFromFitsIntoItsColumns) {
  for (const Sample &S : samples::all())
    if (std::string_view(S.Name) == "follows") {
      Finding F = S.Of.finding();
      F.Follows->Location = std::string(40, 'd') + "/copy.cl:6";
      EXPECT_NE(textOf(F).find("/copy.cl:6,\n    which failed"),
                std::string::npos);
      F.Follows->Location.clear();
      EXPECT_NE(textOf(F).find("\n  may follow from ws-0123456789abcdef, which "
                               "failed and returned zero\n"),
                std::string::npos);
    }
}

/// The page's example is what the code writes, field by field.
TEST(Json, DocsShowARealFinding) {
  std::ifstream In(WARPSAN_DOCS "/findings.md");
  std::stringstream Page;
  Page << In.rdbuf();
  std::string Text = Page.str();
  size_t Begin = Text.find("```json\n") + 8;
  size_t End = Text.find("```", Begin);
  ASSERT_NE(End, std::string::npos);
  using Json = nlohmann::ordered_json;
  for (const Sample &S : samples::all())
    if (std::string_view(S.Name) == "far_write") {
      EXPECT_EQ(Json::parse(Text.substr(Begin, End - Begin)).dump(2),
                Json::parse(jsonOf(S.Of.finding())).dump(2));
    }
}

TEST(Json, AgainIsOneLine) {
  EXPECT_EQ(
      jsonOfRepeat("ws-3f9c212d7f1633a7", "00c0ffee00c0ffee", 13, 512, 4711),
      "{\"schema\":\"warpsan-findings/2\",\"type\":\"repeat\","
      "\"id\":\"ws-3f9c212d7f1633a7\",\"fingerprint\":\"00c0ffee00c0ffee\","
      "\"launch\":13,\"items\":512,\"pid\":4711}\n");
}
