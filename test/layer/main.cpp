//===- test/layer/main.cpp - runs the tests, tells the runner -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>

int main(int Argc, char **Argv) {
  // A program that dies must leave all that it has printed.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  testing::InitGoogleTest(&Argc, Argv);
  int Failed = RUN_ALL_TESTS();
  warpsan::test::printLaunches();
  return Failed;
}
