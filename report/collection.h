//===- report/collection.h - the findings of one run or of many -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `warpsan report` reads from files of findings and summaries, equal
// findings merged, and what each of its formats is made of. Renderers add no
// facts, and need no network and no other file.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_COLLECTION_H
#define WARPSAN_REPORT_COLLECTION_H

#include "diagnose/finding.h"
#include "status/status.h"

#include <optional>
#include <string>
#include <vector>

namespace warpsan {

/// A finding, as it was told the first time, and how often it came.
struct CollectedFinding {
  Finding First;
  uint64_t Launches = 0;  ///< in which it came, over all files
  uint64_t Items = 0;     ///< work-items of all these launches
  uint64_t Processes = 0; ///< in how many files' processes
};

struct Collection {
  std::vector<CollectedFinding> Findings; ///< in the order they were met
  /// All summaries that were read, added up; empty if there was none: then
  /// nothing is known of what was covered, and the formats say so.
  std::optional<Summary> Coverage;
  std::vector<std::string> Files; ///< that were read
};

std::string textOf(const Collection &All, bool Colour);
/// SARIF 2.1.0.
std::string sarifOf(const Collection &All);
/// JUnit XML: one test case a kernel or call, a failure a finding.
std::string junitOf(const Collection &All);
/// One page, with everything in it.
std::string htmlOf(const Collection &All);

} // namespace warpsan

#endif // WARPSAN_REPORT_COLLECTION_H
