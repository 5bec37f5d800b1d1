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
  const bool Svm = Pointers || svmWasAllocated();
  // Of shared virtual memory it is not known where pointers lead.
  return {.Checks = true,
          .Svm = Svm,
          .Lean = settings().checks != "all" && !(Svm && watchesRaces()),
          .Races = watchesRaces()};
}
