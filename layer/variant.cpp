//===- layer/variant.cpp - which twin of a program is meant ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/variant.h"

#include "layer/settings.h"
#include "layer/svm_ranges.h"

using namespace warpsan;

const char *warpsan::nameOf(Variant Which) {
  switch (Which) {
  case Variant::Plain:
    return "plain";
  case Variant::Checked:
    return "checked";
  case Variant::CheckedSvm:
    return "checked-svm";
  case Variant::Lean:
    return "lean";
  case Variant::LeanSvm:
    return "lean-svm";
  case Variant::CheckedObjects:
    return "checked-objects";
  }
  return "";
}

Variant warpsan::variantFor(bool Pointers) {
  if (!wantChecks())
    return Variant::Plain;
  const Variant Which =
      Pointers || svmWasAllocated() ? Variant::LeanSvm : Variant::Lean;
  return settings().checks == "all" ? fullOf(Which) : Which;
}
