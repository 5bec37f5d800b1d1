//===- test/unit/wire_test.cpp - bytes to structs and back ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "job/job.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

Job exampleJob() {
  Job J;
  Unit U;
  U.Lang = Unit::Language::SPIRV;
  U.Text = std::string("\x03\x02\x23\x07\0\0", 6);
  U.Options = "-cl-fast-relaxed-math -DN=4";
  U.Headers = {{"a.h", "int a;"}, {"b.h", ""}};
  U.SpecConstants = {{7, std::string("\1\0\0\0", 4)}};
  J.Recipe.Units = {U, Unit()};
  J.Recipe.LinkOptions = "-create-library";
  J.Recipe.WorkingDirectory = "/home/someone";
  J.Device.Platform = "Portable Computing Language";
  J.Device.AddressBits = 32;
  J.Device.Images = 1;
  J.Which = {.Checks = true, .Lean = true};
  return J;
}

} // namespace

TEST(Wire, JobComesBackWhole) {
  Job Back;
  std::string Bytes = toBytes(exampleJob());
  ASSERT_TRUE(fromBytes(Bytes, Back));
  EXPECT_EQ(toBytes(Back), Bytes);
  ASSERT_EQ(Back.Recipe.Units.size(), 2U);
  EXPECT_EQ(Back.Recipe.Units[0].Lang, Unit::Language::SPIRV);
  EXPECT_EQ(Back.Recipe.Units[0].Text.size(), 6U);
  ASSERT_EQ(Back.Recipe.Units[0].Headers.size(), 2U);
  EXPECT_EQ(Back.Recipe.Units[0].Headers[1].Name, "b.h");
  EXPECT_EQ(Back.Recipe.Units[0].SpecConstants[0].Id, 7U);
  EXPECT_EQ(Back.Device.AddressBits, 32U);
  EXPECT_EQ(nameOf(Back.Which), "lean");
}

TEST(Wire, ProductComesBackWhole) {
  CompileResult P;
  P.SpirV = std::string(1000, '\0');
  P.Dependencies = {{"/a/b.h", Dependency::State::Present, "text"}};
  CompileResult Back;
  ASSERT_TRUE(fromBytes(toBytes(P), Back));
  EXPECT_TRUE(Back.ok());
  EXPECT_EQ(Back.SpirV, P.SpirV);
  EXPECT_EQ(Back.Dependencies[0].Found, Dependency::State::Present);
  EXPECT_EQ(Back.Dependencies[0].Text, "text");
}

TEST(Wire, EveryTruncationIsRefused) {
  std::string Bytes = toBytes(exampleJob());
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    Job Back;
    EXPECT_FALSE(fromBytes(std::string_view(Bytes).substr(0, Size), Back))
        << "at " << Size;
  }
}

TEST(Wire, TrailingBytesAreRefused) {
  Job Back;
  EXPECT_FALSE(fromBytes(toBytes(exampleJob()) + "x", Back));
}

TEST(Wire, WildSizesNeitherAllocateNorOverrun) {
  // Every byte replaced by 0xFF in turn: sizes become enormous somewhere.
  std::string Bytes = toBytes(exampleJob());
  for (size_t At = 0; At < Bytes.size(); ++At) {
    std::string Damaged = Bytes;
    Damaged[At] = '\xFF';
    Job Back;
    (void)fromBytes(Damaged, Back);
  }
  std::string Text;
  EXPECT_FALSE(fromBytes(std::string(8, '\xFF'), Text));
  std::vector<std::string> Texts;
  EXPECT_FALSE(fromBytes(std::string(8, '\xFF') + "abc", Texts));
}
