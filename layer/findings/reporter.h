//===- layer/findings/reporter.h - reports each finding once --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_REPORTER_H
#define WARPSAN_LAYER_FINDINGS_REPORTER_H

#include "diagnose/finding.h"

#include <functional>
#include <string>

namespace warpsan {

/// Details that take time.
enum class Detail : uint8_t {
  Location, ///< what hostLocationOf() needs
  Full,
};

/// Reports a new finding on standard error and in findings_file; counts
/// suppressed findings, findings beyond max_findings, and repeats of a finding
/// with the same \p Key. \p Describe adds details: in full to findings that are
/// reported, the location to those beyond max_findings. False if \p F is
/// suppressed.
bool reportOrCount(Finding &F, const std::string &Key,
                   const std::function<void(Finding &, Detail)> &Describe);

/// Does what the option on_error asks for. Call it without a lock: a debugger
/// may stop there.
void actOnError();

/// Lives while this thread may have taken records that it has not reported.
struct ActiveReport {
  ActiveReport();
  ActiveReport(const ActiveReport &) = delete;
  ActiveReport &operator=(const ActiveReport &) = delete;
  ~ActiveReport();
};

/// Waits until no thread has an ActiveReport, for at most a minute.
void awaitReports();

/// To be called once, at start.
void readSuppressionsFile();

/// For fork: the lock is taken before and released after, in both processes;
/// the child clears what its parent has reported while it holds the lock.
void lockReporter();
void unlockReporter();
void clearReporter();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_REPORTER_H
