//===- test/report/pages/pages.h - pages to test with -----------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_REPORT_PAGES_PAGES_H
#define WARPSAN_TEST_REPORT_PAGES_PAGES_H

#include "report/collection.h"

#include <string>
#include <vector>

namespace warpsan::samples {

struct Page {
  const char *Name;
  Collection Of;
};

/// One of each ending, one with all samples, one with markup in every string.
std::vector<Page> pages();

/// The sample of that name, as it was told in a few launches.
CollectedFinding collected(const std::string &Name);

/// A run with 38 launches, 21 of them proven, all covered.
Summary covered();

} // namespace warpsan::samples

#endif // WARPSAN_TEST_REPORT_PAGES_PAGES_H
