//===- test/unit/names_test.cpp - names as people write them --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/names.h"

#include <gtest/gtest.h>

using namespace warpsan;

using Texts = std::vector<std::string>;

TEST(Names, OnlyWhatIsMangledIsDemangled) {
  EXPECT_EQ(demangled("vadd"), "vadd");
  EXPECT_EQ(demangled("i"), "i"); // an int, if it were a type
  EXPECT_EQ(demangled("_Z4vaddPKfS0_Pfii"),
            "vadd(float const*, float const*, float*, int, int)");
  EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
}

TEST(Names, AKernelIsAFunctionOrAType) {
  EXPECT_EQ(kernelName("copy_tile"), "copy_tile");
  EXPECT_EQ(kernelName("_Z4vaddPKfS0_Pfii"), "vadd");
  EXPECT_EQ(kernelName("_Z5scaleIfEvPT_S0_"), "scale<float>");
  EXPECT_EQ(kernelName("_ZTSZ4mainEUlvE_"), "main::{lambda()#1}");
  EXPECT_EQ(kernelName("_ZN12_GLOBAL__N_13runEPi"),
            "(anonymous namespace)::run");
}

TEST(Names, Parameters) {
  EXPECT_EQ(parametersOf("vadd(float const*, int)"),
            (Texts{"float const*", "int"}));
  EXPECT_EQ(parametersOf("f()"), Texts());
  EXPECT_EQ(parametersOf("plain"), Texts());
  EXPECT_EQ(parametersOf("void g<int, 3>(Pair<int, float>*, int (*)(int))"),
            (Texts{"Pair<int, float>*", "int (*)(int)"}));
}
