//===- layer/process/counters.h - counting what the process did -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_COUNTERS_H
#define WARPSAN_LAYER_PROCESS_COUNTERS_H

#include "status/status.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>

namespace warpsan {

struct Suppressions;

/// Opens this process's status file in the run's directory, or keeps the counts
/// in memory when there is no such directory. Prints the summary at exit if
/// there is no such directory then: a daemon may outlive `warpsan run`.
void openCounters();

void addCount(Counter Which, int64_t Add = 1);

/// Records that something is not covered and why. Returns where its launches
/// are counted; never null (what is beyond the table is counted as lost).
Gap *noteGap(const std::string &Subject, const std::string &Reason,
             GapKind Kind = GapKind::Gap);

/// A row of its own for a new finding. If the table is full, returns an
/// overflow row. Never null.
/// \p Line's counts are not used.
FindingRow *noteFinding(const Summary::FindingLine &Line);

/// Completes a row that noteFinding() returned. Once.
void noteDescribed(FindingRow &Row, const std::string &HostLocation,
                   uint64_t ProgramNumber);

/// For layer/launch/running.h.
std::span<RunningRow, StatusFile::MaxRunning> runningRows();

/// The same for a suppression that matched for the first time.
SuppressionRow *noteSuppression(uint32_t Line, const std::string &Text);

/// For the summary, if this process tells it: the suppressions that there are,
/// and what is wrong with them.
void nameSuppressionsOfThisProcess(const std::string &File,
                                   const Suppressions &All);

/// Ends the process at once with exit_code; tells the summary before, if
/// nobody else does.
[[noreturn]] void haltProcess();

/// Adds the time until it goes out of scope to a counter.
class Stopwatch {
public:
  explicit Stopwatch(Counter Which)
      : Which(Which), Start(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    addCount(Which, std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::steady_clock::now() - Start)
                        .count());
  }
  Stopwatch(const Stopwatch &) = delete;

private:
  Counter Which;
  std::chrono::steady_clock::time_point Start;
};

/// A launch waits for its twin until this goes out of scope. Waits within
/// waits count once.
class TwinWait {
public:
  TwinWait() {
    if (Depth++ == 0)
      Time.emplace(Counter::twin_wait_ns);
  }
  ~TwinWait() { --Depth; }
  TwinWait(const TwinWait &) = delete;

private:
  inline static thread_local unsigned Depth = 0;
  std::optional<Stopwatch> Time;
};

/// Our compiler, or the driver's with a twin, is at work while this lives and
/// the thread waits for it.
class Compiling {
public:
  Compiling() { addCount(Counter::twin_waiting); }
  ~Compiling() { addCount(Counter::twin_waiting, -1); }
  Compiling(const Compiling &) = delete;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_COUNTERS_H
