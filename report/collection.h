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

#include "report/report.h"
#include "status/status.h"

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

/// A finding, as it was reported the first time, and how often it came.
struct CollectedFinding {
  Finding First;
  uint64_t Launches = 0;  ///< in which it came, over all files
  uint64_t Items = 0;     ///< work-items of all these launches
  uint64_t Processes = 0; ///< in how many files' processes
};

struct Collection {
  /// Process by process as they were met; those of a process by launch, those
  /// of a launch in the order of the kernel's accesses. Errors of calls follow
  /// the launches that were met before them.
  std::vector<CollectedFinding> Findings;
  /// Errors of which no more is known than this: beyond max_findings, or only a
  /// summary was read. Whoever counts errors counts them too.
  std::vector<Summary::FindingLine> Untold;
  /// All summaries that were read, added up; empty if there was none: then
  /// nothing is known of what was covered, and the formats say so.
  std::optional<Summary> Coverage;
  std::vector<std::string> Files; ///< that were read

  bool isEmpty() const {
    return Findings.empty() && Untold.empty() && !Coverage;
  }
};

/// Reads files and merges what is equal: findings of one fingerprint.
class Collector {
public:
  Collector();
  ~Collector();
  Collector(const Collector &) = delete;
  Collector &operator=(const Collector &) = delete;

  /// Findings, summaries or both; each line is known by its `schema`. What
  /// cannot be read is skipped and becomes a problem.
  void add(std::istream &From, const std::string &Name);
  void add(const Summary &Sum);

  Collection finish();
  /// "f.jsonl:12: 'size' is not a whole number ..."
  const std::vector<std::string> &problems() const { return Problems; }

private:
  struct State;
  std::unique_ptr<State> Now;
  std::vector<std::string> Problems;
};

/// A line of docs/reference/formats/findings.md; counts are under `merged`.
std::string jsonOf(const CollectedFinding &F);

/// Its own report, and how often it came.
std::string textOf(const CollectedFinding &F, const TextStyle &Style);

/// Every finding likewise; then the summary.
std::string textOf(const Collection &All, const TextStyle &Style);

/// The findings as lines, then the summary as one.
std::string jsonOf(const Collection &All);
/// SARIF 2.1.0. Files below \p Sources are named relative to it.
std::string sarifOf(const Collection &All,
                    const std::filesystem::path &Sources);
/// JUnit XML: one test case a kernel or call, a failure a finding.
std::string junitOf(const Collection &All);
/// One page, with everything in it.
std::string htmlOf(const Collection &All);

} // namespace warpsan

#endif // WARPSAN_REPORT_COLLECTION_H
