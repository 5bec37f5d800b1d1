//===- test/unit/manifest_test.cpp - reading the compiler's manifest ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abi/manifest.h"
#include "layer/twin/manifest.h"
#include "layer/twin/twin_info.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

const char *Example = R"({
  "version": 23, "tool": "test", "variant": "checked", "mutable_globals": false,
  "kernels": [{
    "name": "scale", "file": 0, "line": 5,
    "attributes": {"uniform_work_group_size": true},
    "args": [
      {"name": "a", "type": "float*", "kind": "global", "size": 8,
       "qualifiers": ["const", "restrict"]},
      {"name": "tmp", "type": "float*", "kind": "local", "size": 0},
      {"name": "picture", "type": "image2d_t", "kind": "image", "size": 8},
      {"name": "n", "type": "int", "kind": "value", "size": 4}],
    "hidden": [
      {"kind": "size", "arg": 0}, {"kind": "size", "arg": 1},
      {"kind": "start", "arg": 0}, {"kind": "launch"}, {"kind": "records"}],
    "claims": {
      "nodes": [["global_id", 64, 0, 0, 0, 0], ["argument", 32, 3, 0, 0, 0],
                ["zext", 64, 1, 0, 0, 0]],
      "conditions": [[0, 0, 0, 0, 0], [5, 0, 0, 2, 0]],
      "loops": [], "contents": [], "all": [[1, 1, 0, 4, 0, 0, 1, 0, 1]],
      "by_contents": []},
    "roots": [
      {"kind": "argument", "arg": 0, "name": "a", "type": "float*",
       "element": 4},
      {"kind": "private", "name": "tile", "type": "float[16]", "size": 64,
       "element": 4, "at": 1},
      {"kind": "something new"}],
    "sites": [
      {"id": 0, "at": 2, "access": "read", "space": "global", "type": "float4",
       "builtin": "vload4", "bytes": 16, "align": 4, "root": 0,
       "state": "checked"},
      {"id": 1, "access": "write", "space": "private", "bytes": 4,
       "state": "proven"},
      {"id": 2, "access": "atomic", "space": "generic", "bytes": 4,
       "member": "s.values", "state": "untraced", "depends_on": [0, 1]}]}],
  "files": [{"path": "source.cl", "unit": 0}, {"path": "given.h"},
            {"path": "nowhere.h"}],
  "locations": [
    {"file": 0, "line": 4, "column": 3, "function": "scale"},
    {"file": 0, "line": 3, "column": 9, "function": "scale"},
    {"file": 1, "line": 2, "column": 10, "function": "get", "inlined_at": 0}]
})";

std::shared_ptr<const BuildRecipe> recipe() {
  auto How = std::make_shared<BuildRecipe>();
  Unit U;
  U.Text = "one\ntwo\r\nthree\nfour\nlast";
  U.Headers.push_back({"given.h", "h1\nh2\n"});
  How->Units.push_back(U);
  return How;
}

std::string with(std::string Text, const std::string &From,
                 const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos);
  return Text.replace(At, From.size(), To);
}

} // namespace

/// To make an integer of such a number is undefined, and to go down without end
/// costs the stack.
TEST(Manifest, NumbersThatAreNotWholeAndLevelsWithoutEndAreRefused) {
  for (const char *Number : {"4.5", "1e30", "99999999999999999999"}) {
    std::string Text = Example;
    const std::string Line = "\"line\": 4";
    Text.replace(Text.find(Line), Line.size(),
                 std::string("\"line\": ") + Number);
    Manifest Read;
    EXPECT_EQ(readManifest(Text, Read),
              "the manifest cannot be read: a number is not whole, or too "
              "large");
    EXPECT_FALSE(TwinInfo(Text, recipe()).kernel("scale"));
  }
  Manifest Read;
  EXPECT_EQ(readManifest("{\"version\": " + std::string(1000000, '['), Read),
            "the manifest cannot be read: it is nested too deep");
}

TEST(Manifest, APlanHasArgumentsHiddenOnesAndCounts) {
  Manifest M;
  ASSERT_EQ(readManifest(Example, M), "");
  EXPECT_TRUE(M.UniformGroups);
  const KernelPlan &Plan = M.Kernels.at("scale");
  using Kind = KernelPlan::Hidden::Kind;
  ASSERT_EQ(Plan.HiddenArgs.size(), 5U);
  EXPECT_EQ(Plan.HiddenArgs[0].What, Kind::Size);
  EXPECT_EQ(Plan.HiddenArgs[1].What, Kind::Size);
  EXPECT_EQ(Plan.HiddenArgs[1].Arg, 1U);
  EXPECT_EQ(Plan.HiddenArgs[2].What, Kind::Start);
  EXPECT_EQ(Plan.HiddenArgs[3].What, Kind::Launch);
  EXPECT_EQ(Plan.HiddenArgs[4].What, Kind::Records);
  EXPECT_TRUE(Plan.Reports);
  ASSERT_EQ(Plan.Args.size(), 4U);
  EXPECT_EQ(Plan.Args[0], KernelPlan::ArgKind::Memory);
  EXPECT_EQ(Plan.Args[1], KernelPlan::ArgKind::Local);
  EXPECT_EQ(Plan.Args[2], KernelPlan::ArgKind::Image);
  EXPECT_EQ(Plan.Args[3], KernelPlan::ArgKind::Other);
  EXPECT_EQ(Plan.Checked, 1U);
  EXPECT_EQ(Plan.Proven, 1U);
  EXPECT_EQ(Plan.Untraced, 1U);
}

TEST(Manifest, ClaimsAreReadWithWhatTheyAreAbout) {
  Manifest M;
  ASSERT_EQ(readManifest(Example, M), "");
  const KernelPlan &Plan = M.Kernels.at("scale");
  ASSERT_EQ(Plan.Claimed.Nodes.size(), 3U);
  EXPECT_EQ(Plan.Claimed.Nodes[1].Opcode, Node::Op::argument);
  EXPECT_EQ(Plan.Claimed.Nodes[1].Width, 32);
  ASSERT_EQ(Plan.Claimed.Conditions.size(), 2U);
  EXPECT_EQ(Plan.Claimed.Conditions[1].Pred, Condition::Predicate::ULT);
  ASSERT_EQ(Plan.Claimed.All.size(), 1U);
  EXPECT_EQ(Plan.Claimed.All[0].Bytes, 4U);
  EXPECT_FALSE(Plan.Claimed.All[0].Reads);
  EXPECT_TRUE(Plan.Claimed.All[0].Writes);
  // Its size and the bound are looked at, the other arguments are not.
  EXPECT_EQ(Plan.Decides, std::vector<bool>({true, false, false, true}));
}

TEST(Manifest, WhatIsClaimedByContentsNeedsThePlaceOfWhatIsLoaded) {
  std::string Text = with(Example, "\"by_contents\": []",
                          "\"by_contents\": [[0, 0, 3, 4, 0, 0, 1, 1, 0]]");
  Text = with(Text, "[\"zext\", 64, 1, 0, 0, 0]",
              "[\"zext\", 64, 1, 0, 0, 0], [\"loaded\", 64, 0, 0, 3, 0]");
  Text = with(Text, "\"contents\": []", "\"contents\": [[1, 64, 24, 8, 16]]");
  Text = with(Text, "\"kind\": \"local\", \"size\": 0",
              "\"kind\": \"global\", \"size\": 8, \"unchanged\": true");
  Manifest M, Before;
  ASSERT_EQ(readManifest(Text, M), "");
  ASSERT_EQ(readManifest(Example, Before), "");
  const KernelPlan &Plan = M.Kernels.at("scale");
  EXPECT_EQ(Plan.Claimed.Contents, std::vector<Content>({{1, 64, 24, 8, 16}}));
  EXPECT_TRUE(Plan.Decides[1]);
  for (const char *Wrong : {"[4, 64, 24, 8, 16]", "[1, 32, 24, 8, 16]",
                            "[1, 64, 24, 16, 16]", "[1, 64, 20, 8, 8]"}) {
    Manifest Refused;
    EXPECT_NE(readManifest(with(Text, "[1, 64, 24, 8, 16]", Wrong), Refused),
              "")
        << Wrong;
  }
  EXPECT_EQ(Plan.Unchanged, std::vector<bool>({false, true, false, false}));
  EXPECT_TRUE(Plan.wantsContents());
  EXPECT_TRUE(Plan.Unclaimed.empty());
  EXPECT_FALSE(Before.Kernels.at("scale").wantsContents());
  EXPECT_EQ(Before.Kernels.at("scale").Unclaimed, std::vector<uint32_t>({0}));
}

TEST(Manifest, WhatTheLayerWouldGetWrongIsRefused) {
  Manifest M;
  EXPECT_NE(readManifest("", M), "");
  EXPECT_NE(readManifest("{}", M), "");
  EXPECT_NE(readManifest(with(Example, "\"version\": 23", "\"version\": 1"), M)
                .find("this layer reads " + std::to_string(ManifestVersion)),
            std::string::npos);
  EXPECT_NE(readManifest(with(Example, "\"launch\"", "\"lunch\""), M), "");
  EXPECT_NE(
      readManifest(
          with(Example, "\"size\", \"arg\": 1", "\"size\", \"arg\": 4"), M),
      "");
  for (auto [From, To] :
       {std::pair("[[1, 1, 0, 4, 0,", "[[1, 1, 0, 4, 4,"), // no such argument
        {"[[1, 1, 0, 4, 0,", "[[1, 1, 3, 4, 0,"},          // node
        {"[[1, 1, 0, 4, 0,", "[[1, 2, 0, 4, 0,"},          // condition
        {"[\"zext\", 64, 1", "[\"zext\", 64, 2"},          // of itself
        {"[5, 0, 0, 2, 0]", "[7, 0, 0, 2, 0]"},
        {"\"zext\"", "\"next\""}})
    EXPECT_NE(readManifest(with(Example, From, To), M), "") << To;
}

TEST(TwinInfo, SitesHaveTheirChainOfPlaces) {
  TwinInfo Info(Example, recipe());
  auto Kernel = Info.kernel("scale");
  ASSERT_TRUE(Kernel);
  ASSERT_EQ(Kernel->Sites.size(), 3U);
  const SiteInfo &Site = Kernel->Sites[0];
  EXPECT_EQ(Site.What, SiteInfo::Access::Read);
  EXPECT_EQ(Site.Builtin, "vload4");
  EXPECT_EQ(Site.Type, "float4");
  EXPECT_EQ(Site.Bytes, 16U);
  EXPECT_EQ(Site.Align, 4U);
  ASSERT_EQ(Site.At.size(), 2U);
  EXPECT_EQ(Site.At[0].File, "given.h");
  EXPECT_EQ(Site.At[0].Function, "get");
  EXPECT_EQ(Site.At[0].FileIndex, 1);
  EXPECT_EQ(Site.At[1].Line, 4U);
  EXPECT_TRUE(Kernel->Sites[1].At.empty());
  EXPECT_EQ(Kernel->Sites[1].What, SiteInfo::Access::Write);
  EXPECT_EQ(Kernel->Sites[2].What, SiteInfo::Access::Atomic);
  EXPECT_EQ(Kernel->Sites[2].Member, "s.values");
  EXPECT_TRUE(Kernel->Sites[0].DependsOn.empty());
  EXPECT_EQ(Kernel->Sites[2].DependsOn, (std::vector<uint32_t>{0, 1}));
  EXPECT_FALSE(Info.kernel("other"));
}

TEST(TwinInfo, DependencesOnSitesThatAreNotThereAreDropped) {
  TwinInfo Info(with(Example, "[0, 1]}]}]", "[3, 1, -1, 4294967295, 2]}]}]"),
                recipe());
  auto Kernel = Info.kernel("scale");
  ASSERT_TRUE(Kernel);
  EXPECT_EQ(Kernel->Sites[2].DependsOn, (std::vector<uint32_t>{1, 2}));
  EXPECT_FALSE(TwinInfo(with(Example, "[0, 1]}]}]", "\"x\"}]}]"), recipe())
                   .kernel("scale"));
}

TEST(TwinInfo, RootsAndArgumentsAreNamed) {
  TwinInfo Info(Example, recipe());
  auto Kernel = Info.kernel("scale");
  ASSERT_TRUE(Kernel);
  ASSERT_EQ(Kernel->Roots.size(), 3U);
  EXPECT_EQ(Kernel->Roots[0].What, RootInfo::Kind::Argument);
  EXPECT_EQ(Kernel->Roots[1].What, RootInfo::Kind::Private);
  EXPECT_EQ(Kernel->Roots[1].Size, 64U);
  ASSERT_EQ(Kernel->Roots[1].Declared.size(), 1U);
  EXPECT_EQ(Kernel->Roots[1].Declared[0].Line, 3U);
  EXPECT_EQ(Kernel->Roots[2].What, RootInfo::Kind::Unknown);
  EXPECT_TRUE(Kernel->Args[0].Const);
  EXPECT_FALSE(Kernel->Args[1].Const);
  EXPECT_EQ(Kernel->Args[2].Kind, "image");
}

TEST(TwinInfo, LocationsInARingEnd) {
  TwinInfo Info(with(Example, "\"function\": \"scale\"},",
                     "\"function\": \"scale\", \"inlined_at\": 2},"),
                recipe());
  auto Kernel = Info.kernel("scale");
  ASSERT_TRUE(Kernel);
  EXPECT_EQ(Kernel->Sites[0].At.size(), 3U);
}

TEST(TwinInfo, DamagedTextGivesNoFacts) {
  for (const char *Text : {"", "{", "[]", "{\"files\": []}"})
    EXPECT_FALSE(TwinInfo(Text, recipe()).kernel("scale"));
  EXPECT_FALSE(TwinInfo(with(Example, "\"at\": 2", "\"at\": 99"), recipe())
                   .kernel("scale"));
}

TEST(TwinInfo, ExcerptsComeFromUnitsHeadersAndDisk) {
  TwinInfo Info(Example, recipe());
  SourcePlace At;
  At.FileIndex = 0;
  At.Line = 4;
  auto Excerpt = Info.excerpt(At);
  ASSERT_TRUE(Excerpt);
  EXPECT_EQ(Excerpt->FirstLine, 2U);
  EXPECT_EQ(Excerpt->Lines, (std::vector<std::string>{"two", "three", "four"}));
  At.FileIndex = 1;
  At.Line = 1;
  Excerpt = Info.excerpt(At);
  ASSERT_TRUE(Excerpt);
  EXPECT_EQ(Excerpt->Lines, (std::vector<std::string>{"h1"}));
  At.FileIndex = 2;
  EXPECT_FALSE(Info.excerpt(At));
  At.FileIndex = 9;
  EXPECT_FALSE(Info.excerpt(At));
  At.FileIndex = -1;
  EXPECT_FALSE(Info.excerpt(At));
}

TEST(TwinInfo, LinesThatAreNotThereGiveNoExcerpt) {
  EXPECT_FALSE(linesBefore("a\nb\n", 0));
  EXPECT_FALSE(linesBefore("a\nb\n", 3));
  EXPECT_FALSE(linesBefore("", 1));
  ASSERT_TRUE(linesBefore("a\n\n", 2));
  EXPECT_EQ(linesBefore("a\n\n", 2)->Lines,
            (std::vector<std::string>{"a", ""}));
}
