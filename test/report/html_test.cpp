//===- test/report/html_test.cpp - what is on the HTML report -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That pages are well-formed is tested by check_pages.py.
//
//===----------------------------------------------------------------------===//
#include "report/html/axis.h"
#include "report/html/markup.h"
#include "test/report/pages/pages.h"
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

using namespace warpsan;
using samples::anyNumber;
using samples::collected;
using samples::Sample;

static size_t countOf(const std::string &Text, const std::string &What) {
  size_t Count = 0;
  for (size_t At = Text.find(What); At != std::string::npos;
       At = Text.find(What, At + What.size()))
    ++Count;
  return Count;
}

static Collection of(CollectedFinding Finding) {
  Collection All;
  All.Findings.push_back(std::move(Finding));
  return All;
}

/// Tags away, entities back.
static std::string plain(const std::string &Html) {
  std::string Text = std::regex_replace(Html, std::regex("<[^>]*>"), "");
  for (const auto &[From, To] : {std::pair{"&lt;", "<"},
                                 {"&gt;", ">"},
                                 {"&quot;", "\""},
                                 {"&#39;", "'"},
                                 {"&amp;", "&"}})
    Text = std::regex_replace(Text, std::regex(From), To);
  return Text;
}

TEST(Html, EscapesMarkupAndControls) {
  EXPECT_EQ(html::escape("<a href='x'>&\"\x1b\n\xff"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\x1B\\n\\xFF");
}

TEST(Html, PercentagesHaveTwoDigitsAndStayInside) {
  EXPECT_EQ(html::percent(12.5), "12.50%");
  EXPECT_EQ(html::percent(0.05), "0.05%");
  EXPECT_EQ(html::percent(33), "33%");
  EXPECT_EQ(html::percent(-1e300), "0%");
  EXPECT_EQ(html::percent(1e300), "100%");
}

TEST(Html, AFindingHasWhatTheTextReportHas) {
  const std::string Page = htmlOf(of(collected("far_write")));
  const std::string Text = plain(Page);
  for (const char *Part :
       {"out-of-bounds write, 3,588 bytes past the end of 'dest'",
        "ws-340b2e012a0cce3d", "in store_tile at copy.cl:41:26",
        "called in kernel CopyTile at copy.cl:58:3",
        "    dest[row * ld + col] = tile[w];",
        "writes 4 bytes (float) at byte 20,480, element 5,120",
        "'dest' has 16,892 bytes, elements 0 to 4,222",
        "work-item (0, 15)   local (0, 15)   group (0, 0)   of global 64 x 16, "
        "local 8 x 16",
        "and 511 more work-items in this launch",
        "1,536 work-items in 3 launches",
        "'dest' is argument 2, __global float *: a buffer, read and write",
        "created clCreateBuffer", "make_buffers tuner.cpp:88",
        "launched clEnqueueNDRangeKernel", "run_once tuner.cpp:140",
        "The write was dropped; the program continued."})
    EXPECT_NE(Text.find(Part), std::string::npos) << Part;
  EXPECT_NE(Page.find("<mark>dest[row * ld + col] <b>=</b></mark>"),
            std::string::npos);
  EXPECT_NE(Page.find("id=\"ws-340b2e012a0cce3d\""), std::string::npos);
  EXPECT_NE(Page.find("href=\"#ws-340b2e012a0cce3d\""), std::string::npos);
}

TEST(Html, CudaFindingsAreToldInItsWords) {
  const std::string Text = plain(htmlOf(of(collected("cuda_argument"))));
  EXPECT_NE(Text.find("threadIdx"), std::string::npos);
  EXPECT_NE(Text.find("Threads"), std::string::npos);
  EXPECT_NE(Text.find("<<<"), std::string::npos);
  const size_t Main = Text.find("Errors");
  EXPECT_EQ(Text.find("work-item", Main), std::string::npos);
}

TEST(Html, EachEndingIsSaid) {
  const std::pair<const char *, const char *> Endings[] = {
      {"everything", " errors</p><p class=\"more\">Not everything was covered"},
      {"few", "\"verdict bad\"><p>3 errors</p><p class=\"more\">Not everything "
              "was covered: 6 of 44 launches were"},
      {"no_errors", "\"verdict good\"><p>No errors</p></div>"},
      {"unknown", "\"verdict open\"><p>No errors in these files</p><p "
                  "class=\"more\">Coverage is unknown"},
      {"nothing_checked", "\"verdict open\"><p>Nothing was checked</p><p "
                          "class=\"more\">the program did not load the layer"},
      {"gaps", "\"verdict open\"><p>No errors found, but not everything was "
               "covered</p>"},
      {"lost", "\"verdict bad\"><p>Checks failed, but no error is described"}};
  for (const auto &[Name, Said] : Endings)
    for (const samples::Page &P : samples::pages())
      if (std::string(P.Name) == Name) {
        EXPECT_NE(htmlOf(P.Of).find(Said), std::string::npos) << Name;
      }
}

TEST(Html, CoverageIsToldInNumbers) {
  Collection All;
  EXPECT_NE(htmlOf(All).find("<h2>Coverage</h2><p>Not known"),
            std::string::npos);
  All.Coverage = samples::covered();
  const std::string Page = htmlOf(All);
  for (const char *Part :
       {"Kernels: 19 covered, 0 not covered",
        "Launches: 21 proven, 17 checked, 0 only guarded by canaries, 0 not "
        "covered",
        "Accesses: 1,121 proven, 83 checked, 0 not checked"})
    EXPECT_NE(Page.find(Part), std::string::npos) << Part;
  EXPECT_EQ(Page.find("<table"), std::string::npos);
}

TEST(Html, ManyFindingsAreFoldedAndFewAreNot) {
  Collection All = of(collected("far_write"));
  All.Findings.push_back(collected("misaligned"));
  EXPECT_EQ(countOf(htmlOf(All), "<details class=\"finding\" open "), 2U);
  while (All.Findings.size() < 9)
    All.Findings.push_back(collected("misaligned"));
  const std::string Page = htmlOf(All);
  EXPECT_EQ(countOf(Page, "<details class=\"finding\" open "), 1U);
  EXPECT_EQ(countOf(Page, "<details class=\"finding\" "), 9U);
}

TEST(Html, AFindingLinksToTheOneThatItMayFollowFrom) {
  Collection All = of(collected("follows"));
  const std::string Id = All.Findings[0].First.Follows->Id;
  EXPECT_NE(plain(htmlOf(All))
                .find("may follow from " + Id + " at copy.cl:6, which failed"),
            std::string::npos);
  EXPECT_EQ(htmlOf(All).find("href=\"#" + Id), std::string::npos)
      << "it is not on the page";
  All.Findings.push_back(collected("adjacent_read"));
  All.Findings.push_back(collected("adjacent_read"));
  All.Findings[1].First.Id = All.Findings[2].First.Id = Id;
  EXPECT_EQ(countOf(htmlOf(All), "may follow from <a href=\"#" + Id + "\">"),
            1U);
}

TEST(HtmlPicture, IsToScaleWhereThatCanBeSeen) {
  const html::Axis Near({0, 100}, {{150, 200}});
  EXPECT_TRUE(Near.breaks().empty());
  EXPECT_DOUBLE_EQ(Near.at(100), 50);
  EXPECT_DOUBLE_EQ(Near.at(150), 75);
  EXPECT_DOUBLE_EQ(Near.at(-5), 0);
  EXPECT_DOUBLE_EQ(Near.at(500), 100);
}

TEST(HtmlPicture, BreaksWhereItIsNot) {
  const html::Axis Far({0, 100}, {{1e15, 1e15 + 4}});
  EXPECT_EQ(Far.breaks().size(), 1U);
  EXPECT_GT(Far.at(100), 60);
  EXPECT_GT(Far.at(1e15), Far.at(100) + 20);
  const std::string Page =
      html::memoryPicture(collected("sub_buffer_everything_long").First);
  EXPECT_NE(Page.find("class=\"break\""), std::string::npos);
  EXPECT_NE(Page.find("Not to scale where it is broken"), std::string::npos);
  EXPECT_NE(Page.find("Gray: the rest of the buffer"), std::string::npos);
  EXPECT_EQ(countOf(Page, "class=\"near\""), 2U);
}

TEST(HtmlPicture, ShowsTheEndFromNear) {
  const std::string Page =
      html::memoryPicture(collected("private_variable_far_before").First);
  EXPECT_EQ(Page.find("closer"), std::string::npos);
  CollectedFinding Close = collected("far_write");
  Close.First.Offset = 16892;
  Close.First.Distance = 0;
  EXPECT_NE(html::memoryPicture(Close.First).find("one box an element"),
            std::string::npos);
}

TEST(HtmlRange, TheFirstWorkItemIsOutlined) {
  Finding F = collected("far_write").First; // 64 x 16, (0, 15) failed
  F.Hits.reset();
  const std::string Map = html::rangeMap(F);
  EXPECT_NE(Map.find("viewBox=\"0 0 16 16\""), std::string::npos);
  EXPECT_NE(Map.find("<rect class=\"first\" x=\"0\" y=\"15\""),
            std::string::npos);
  EXPECT_NE(Map.find("One box is 4 x 1 work-items"), std::string::npos);
  EXPECT_NE(Map.find("Which others failed is not known"), std::string::npos);
}

TEST(HtmlRange, MarksThoseThatFailed) {
  Finding F = collected("far_write").First;
  F.Hits = emptyHitMap(F.Launch.Global);
  for (uint64_t X = 8; X < 24; ++X)
    F.Hits->Hit[F.Hits->cellOf({X, 3, 0})] = true;
  const std::string Map = html::rangeMap(F);
  EXPECT_NE(Map.find("<rect class=\"hit\" x=\"2\" y=\"3\" width=\"4\""),
            std::string::npos);
  EXPECT_EQ(Map.find("is not known"), std::string::npos);
}

/// A file may say anything.
TEST(HtmlRange, AMapThatDoesNotHoldTogetherIsNotDrawn) {
  Finding F = collected("far_write").First;
  F.Hits.reset();
  const std::string Without = html::rangeMap(F);
  F.Hits = HitMap{{1000, 1000, 1}, {1, 1, 1}, {}};
  EXPECT_EQ(html::rangeMap(F), Without);
  F.Hits = HitMap{{0, 1, 1}, {1, 1, 1}, {}};
  EXPECT_EQ(html::rangeMap(F), Without);
  F.Hits = HitMap{{2, 1, 1}, {0, 1, 1}, {true, true}};
  EXPECT_EQ(html::rangeMap(F), Without);
}

/// The sanitizers' builds look on.
TEST(Html, AnyNumbersCanBeDrawn) {
  std::mt19937_64 Random(7);
  auto Any = [&Random] { return anyNumber(Random); };
  const std::vector<Sample> Samples = samples::all();
  for (int Round = 0; Round < 2000; ++Round) {
    Finding F = Samples[Random() % Samples.size()].Of.finding();
    F.Size = Any();
    F.Offset = static_cast<int64_t>(Any());
    F.Bytes = Any();
    F.ElementSize = Any();
    F.Distance = Any();
    F.Memory.SubOffset = Any();
    F.Memory.ParentSize = Any();
    F.Fell = static_cast<Finding::Where>(Random() % 4);
    F.Memory.Near = {{static_cast<int64_t>(Any()), Any(), "", {}, true, true}};
    for (size_t I = 0; I < 3; ++I) {
      F.GlobalId[I] = Any();
      F.Launch.Global[I] = Any();
      F.Launch.Offset[I] = Any();
    }
    const std::string Part =
        html::findingPart({F, Any(), Any(), Any()}, "ws-1", "", true);
    EXPECT_LT(Part.size(), 60000U);
    EXPECT_EQ(Part.find("nan"), std::string::npos);
  }
}
