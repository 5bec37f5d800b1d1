//===- layer/twin/variant.cpp - which twin of a program is meant ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/variant.h"

#include "layer/process/settings.h"
#include "layer/svm/svm_ranges.h"

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
