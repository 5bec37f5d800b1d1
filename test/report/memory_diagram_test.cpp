//===- test/report/memory_diagram_test.cpp - memory and access, drawn -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/text/memory_diagram.h"

#include "test/report/samples/samples.h"
#include "text/format.h"

#include <gtest/gtest.h>

using namespace warpsan;
using samples::Case;

using Access = SiteInfo::Access;

namespace {

std::string picture(uint64_t Size, uint64_t Bytes, int64_t Offset,
                    const char *Label = "a") {
  Case C;
  C.size(Size);
  C.access(Access::Read, "", Bytes, Offset);
  return pictureOf(C.finding(), Label, Paint());
}

} // namespace

TEST(Picture, AdjacentTouchesTheEnd) {
  EXPECT_EQ(picture(64, 4, 64), "a  0 [################]x 64");
  EXPECT_EQ(picture(1200, 4, 1200),
            "a  0 [##############################]x 1,200");
}

TEST(Picture, AGapIsDrawnToScale) {
  EXPECT_EQ(picture(16892, 4, 20480),
            "a  0 [##############################] 16,892  . . . x 20,480");
  EXPECT_EQ(picture(1200, 4, 1204),
            "a  0 [##############################] 1,200  . x 1,204")
      << "however small, it is seen";
}

TEST(Picture, AFarAccessHasABreak) {
  EXPECT_EQ(picture(1200, 4, 1000000),
            "a  0 [##############################] 1,200  . . . // . . . x "
            "1,000,000");
}

TEST(Picture, StraddlingIsOnBothSidesOfTheEnd) {
  EXPECT_EQ(picture(64, 16, 56), "a  0 [##############xx]xx 64");
}

TEST(Picture, BeforeIsOnTheLeft) {
  EXPECT_EQ(picture(64, 4, -4), "a  -4 x[################] 64");
  EXPECT_EQ(picture(64, 4, -16), "a  -16 x . . 0 [################] 64");
  EXPECT_EQ(picture(64, 16, -8), "a  -8 xx[xx##############] 64");
  EXPECT_EQ(picture(64, 4, -4096),
            "a  -4,096 x . . . // . . . 0 [################] 64");
}

TEST(Picture, ALargeAccessIsCutAndSaysSo) {
  EXPECT_EQ(picture(64, 1000, 32), "a  0 [########xxxxxxxx]xxxxxxxxxx// 64");
  EXPECT_EQ(picture(64, UINT64_MAX, 64),
            "a  0 [################]xxxxxxxxxx// 64");
}

TEST(Picture, FitsEightyColumnsWhateverTheNumbers) {
  const std::string Long(24, 'n');
  for (uint64_t Size : {uint64_t{1}, uint64_t{64}, uint64_t{1} << 62})
    for (int64_t Offset : {INT64_MIN, int64_t{-1}, int64_t{1} << 62, INT64_MAX})
      for (uint64_t Bytes : {uint64_t{1}, UINT64_MAX}) {
        std::string Line = picture(Size, Bytes, Offset, Long.c_str());
        EXPECT_TRUE(!Line.empty() || Size == uint64_t{1} << 62);
        EXPECT_LE(width(Line) + 2, 80U) << Line;
      }
}

TEST(Picture, InsideThereIsNone) {
  Case C;
  C.test(WS_TEST_ALIGN);
  C.access(Access::Read, "float", 4, 6);
  EXPECT_EQ(pictureOf(C.finding(), "a", Paint()), "");
}

TEST(Picture, FitsAsManyColumnsAsThereAre) {
  Case C;
  C.size(16892);
  C.access(SiteInfo::Access::Write, "float", 4, 20480);
  const Finding F = C.finding();
  for (size_t Columns : {60, 70, 80, 120}) {
    const std::string Line = pictureOf(F, "destination", Paint{false, Columns});
    EXPECT_LE(Line.size() + 2, Columns);
    EXPECT_NE(Line.find("20,480"), std::string::npos) << Line;
  }
}
