//===- test/robustness/lifecycle_programs/statics.cpp - OpenCL after main -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_statics WHEN WHAT
//
// WHEN   before, after           a static object, made before and after OpenCL
//        atexit_before, atexit_after   an exit handler likewise
// WHAT   finish, release, launch   launch: builds, launches, waits
//
//===----------------------------------------------------------------------===//
#include "test/robustness/lifecycle_programs/work.h"

#include <string_view>

using namespace lives;

static std::string_view When, What;
static Work *Ours = nullptr;

static void act() {
  say("after main");
  if (What == "finish") {
    Ours->finish();
  } else if (What == "release") {
    Ours->finish();
    Ours->release();
  } else {
    Ours->makeKernels("3");
    Ours->late();
    Ours->finish();
  }
  // What nobody waited for in main, we have.
  due("bad", 1);
  if (What == "launch")
    due("late", 1);
}

namespace {
struct Last {
  std::string_view Wanted;
  ~Last() {
    if (When == Wanted)
      act();
  }
};
} // namespace

static Last Before{"before"};

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 96;
  When = Argv[1];
  What = Argv[2];
  if (When == "atexit_before")
    std::atexit(act);
  Ours = new Work;
  static Last After{"after"};
  if (When == "atexit_after")
    std::atexit(act);
  Ours->bad();
  say("may bad");
  must(clFlush(Ours->Queue), "clFlush");
  return 16;
}
