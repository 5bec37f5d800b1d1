//===- test/report/read_test.cpp - findings out of their JSON -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/formats/read_json.h"
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <sstream>

using namespace warpsan;
using samples::Sample;
using Json = nlohmann::ordered_json;

namespace {

Finding sample(const std::string &Name) {
  for (const Sample &S : samples::all())
    if (Name == S.Name)
      return S.Of.finding();
  throw std::runtime_error("no sample " + Name);
}

std::string problemOf(const std::string &Line) {
  FindingsLine Read = readLine(Line);
  const auto *Problem = std::get_if<LineProblem>(&Read);
  return Problem ? Problem->What : "";
}

class Read : public testing::TestWithParam<Sample> {};

} // namespace

/// Nothing that a renderer needs is lost.
TEST_P(Read, IsTheInverseOfWriting) {
  const Sample &S = GetParam();
  Finding F = S.Of.finding();
  F.Process = {4711, "tuner"};
  // What is not UTF-8 does not come back.
  if (jsonOf(F).find("\xEF\xBF\xBD") != std::string::npos) {
    auto Line = readLine(jsonOf(F));
    F = std::get<CollectedFinding>(Line).First;
  }
  FindingsLine Line = readLine(jsonOf(F));
  ASSERT_TRUE(std::holds_alternative<CollectedFinding>(Line))
      << problemOf(jsonOf(F));
  const Finding &Back = std::get<CollectedFinding>(Line).First;
  EXPECT_EQ(jsonOf(Back), jsonOf(F));
  const TextStyle Style{.Color = false, .Addresses = true};
  EXPECT_EQ(textOf(Back, Style), textOf(F, Style));
}

INSTANTIATE_TEST_SUITE_P(, Read, testing::ValuesIn(samples::all()),
                         [](const auto &Info) { return Info.param.Name; });

TEST(ReadLine, MergedCountsComeBack) {
  CollectedFinding F{sample("far_write"), 3, 1536, 2};
  auto Line = readLine(jsonOf(F));
  const auto &Back = std::get<CollectedFinding>(Line);
  EXPECT_EQ(jsonOf(Back), jsonOf(F));
  EXPECT_EQ(Back.Launches, 3U);
  EXPECT_EQ(Back.Items, 1536U);
  EXPECT_EQ(Back.Processes, 2U);
}

TEST(ReadLine, FieldsThatAreNotKnownAreIgnored) {
  auto Object = Json::parse(jsonOf(sample("far_write")));
  Object["color"] = {{"red", 1}};
  Object["launch"]["weather"] = "fine";
  Object["title"] = 7; // made anew
  auto Line = readLine(Object.dump());
  ASSERT_TRUE(std::holds_alternative<CollectedFinding>(Line));
  EXPECT_EQ(jsonOf(std::get<CollectedFinding>(Line).First),
            jsonOf(sample("far_write")));
}

TEST(ReadLine, FieldsThatAnOlderVersionLacksAreDefaults) {
  auto Object = Json::parse(jsonOf(sample("far_write")));
  for (const char *Name : {"cuda", "process", "merged"})
    Object.erase(Name);
  auto Line = readLine(Object.dump());
  ASSERT_TRUE(std::holds_alternative<CollectedFinding>(Line));
  EXPECT_EQ(jsonOf(std::get<CollectedFinding>(Line).First),
            jsonOf(sample("far_write")));
}

TEST(ReadLine, WhatIsWrongIsSaid) {
  EXPECT_EQ(problemOf("[1]"), "is no JSON object");
  EXPECT_EQ(problemOf("{\"schema\": "), "not JSON (byte 12)");
  EXPECT_EQ(problemOf("{\"size\": 1E999}"),
            "has a number that is too large: no double holds it");
  EXPECT_EQ(problemOf("{}"), "its schema is neither warpsan-findings/2 nor "
                             "warpsan-summary/3");
  EXPECT_EQ(problemOf(R"({"schema":"warpsan-findings/2","type":"x"})"),
            "'type' is neither finding nor again");
  EXPECT_EQ(
      problemOf(
          R"({"schema":"warpsan-findings/2","type":"repeat","id":"ws-"})"),
      "'id' is not ws- and 16 hexadecimal digits");
  EXPECT_EQ(problemOf(std::string(1000, '[')), "not JSON (byte 1001)");
  EXPECT_EQ(problemOf("{\"a\":" + std::string(100, '[') +
                      std::string(100, ']') + "}"),
            "is nested too deep");
  const Json Good = Json::parse(jsonOf(sample("far_write")));
  auto Changed = [&Good](const char *Path, Json Value) {
    Json Copy = Good;
    Copy[Json::json_pointer(Path)] = std::move(Value);
    return problemOf(Copy.dump());
  };
  EXPECT_EQ(Changed("/size", -1),
            "'size' is not a whole number of 64 bits, not negative");
  EXPECT_EQ(Changed("/size", 1e30),
            "'size' is not a whole number of 64 bits, not negative");
  EXPECT_EQ(Changed("/offset", UINT64_MAX),
            "'offset' is not a whole number of 64 bits");
  EXPECT_EQ(Changed("/site/at/0/line", uint64_t{1} << 32),
            "'site.at.line' is not a whole number of 32 bits, not negative");
  EXPECT_EQ(Changed("/kernel", nullptr), "'kernel' is not a text");
  EXPECT_EQ(Changed("/performed", 1), "'performed' is neither true nor false");
  EXPECT_EQ(Changed("/launch", 1), "'launch' is not an object");
  EXPECT_EQ(Changed("/launch/global", {1, 2}),
            "'launch.global' is not a list of 3 numbers that fit");
  EXPECT_EQ(Changed("/local_size", {1, 0, 1}), "'local_size' has a zero");
  EXPECT_EQ(Changed("/address", "0x"),
            "'address' is not a number in hexadecimal");
  EXPECT_EQ(Changed("/address", "0x11112222333344445"),
            "'address' is not a number in hexadecimal");
  EXPECT_EQ(Changed("/kind", "new\x1bkind"),
            "'kind' is 'new\\x1Bkind', which this version does not know");
  EXPECT_EQ(Changed("/excerpt/lines", {"a", 1}),
            "'excerpt.lines' is not a list of which each entry is right");
  EXPECT_EQ(Changed("/canary", {{"was", "0g"}}),
            "'canary.was' is not bytes in hexadecimal");
}

namespace {

/// Any value of the document becomes another.
void change(Json &Value, std::mt19937_64 &Random) {
  if (Value.is_structured() && !Value.empty() && Random() % 8) {
    size_t Which = Random() % Value.size();
    auto At = Value.begin();
    std::advance(At, static_cast<std::ptrdiff_t>(Which));
    change(*At, Random);
    return;
  }
  const Json Others[] = {nullptr,
                         true,
                         0,
                         -1,
                         1,
                         UINT64_MAX,
                         INT64_MIN,
                         INT64_MAX,
                         UINT32_MAX,
                         0.5,
                         "",
                         "\x1b[2J<&\xe2\x80\xae",
                         "0x0",
                         "_ZN1aIiE1bEv",
                         Json::array(),
                         Json::object(),
                         Json::array({UINT64_MAX, UINT64_MAX, UINT64_MAX}),
                         Json::array({Json::object()})};
  Value = Others[Random() % std::size(Others)];
}

} // namespace

/// Whatever is in a line, it is refused or it can be rendered.
TEST(ReadLine, AnyValuesAreReadOrRefused) {
  std::mt19937_64 Random(7);
  std::vector<Json> Lines;
  for (const Sample &S : samples::all())
    Lines.push_back(Json::parse(jsonOf(S.Of.finding())));
  size_t Good = 0;
  for (int Round = 0; Round < 1500; ++Round) {
    Json Line = Lines[Random() % Lines.size()];
    for (size_t I = 0, Changes = 1 + Random() % 2; I < Changes; ++I)
      change(Line, Random);
    std::istringstream In(Line.dump());
    Collector From;
    From.add(In, "file");
    const Collection All = From.finish();
    EXPECT_EQ(All.Findings.size() + From.problems().size(), 1U);
    for (const std::string &Problem : From.problems())
      for (char C : Problem)
        ASSERT_GE(static_cast<unsigned char>(C), 0x20) << Problem;
    if (All.Findings.empty())
      continue;
    ++Good;
    for (char C : textOf(All, TextStyle()) + junitOf(All))
      ASSERT_TRUE(C == '\n' || static_cast<unsigned char>(C) >= 0x20);
    EXPECT_FALSE(Json::parse(sarifOf(All, "/src")).is_discarded());
    EXPECT_FALSE(htmlOf(All).empty());
  }
  EXPECT_GT(Good, 100U);
}

TEST(ReadLine, AnyBytesAreReadOrRefused) {
  std::mt19937_64 Random(8);
  const std::string Whole = jsonOf(sample("far_write"));
  for (int Round = 0; Round < 4000; ++Round) {
    std::string Line = Whole;
    for (size_t I = 0, Changes = 1 + Random() % 4; I < Changes; ++I)
      Line[Random() % Line.size()] = static_cast<char>(Random());
    if (Random() % 2)
      Line.resize(Random() % Line.size());
    FindingsLine Read = readLine(Line);
    if (const auto *Found = std::get_if<CollectedFinding>(&Read))
      EXPECT_FALSE(textOf(Found->First).empty());
  }
}
