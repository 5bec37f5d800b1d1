//===- layer/twin/twin_wish.cpp - the twin that a launch needs ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/twin_wish.h"

#include "layer/objects/memory_state.h"
#include "layer/process/settings.h"

using namespace warpsan;

Variant warpsan::variantFor(bool Pointers) {
  if (!wantChecks())
    return Unchecked;
  return {.Checks = true,
          .Svm = Pointers || svmWasAllocated(),
          .Lean = settings().checks != "all" && !watchesRaces(),
          .Races = watchesRaces()};
}
