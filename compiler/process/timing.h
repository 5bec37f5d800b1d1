//===- compiler/process/timing.h - how long each phase of a compile took --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_PROCESS_TIMING_H
#define WARPSAN_COMPILER_PROCESS_TIMING_H

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace warpsan {

/// Wall-clock time of a job's phases, in the order they ran.
class Phases {
public:
  /// Ends the phase before and starts one. \p Name is a gerund, as a person
  /// would read it after "while": it also goes into the last words of a
  /// compile that crashes (crash_handler.h).
  void enter(const char *Name);
  void end();
  /// One line: "frontend 12.3 ms, ..., total 20.1 ms".
  std::string text() const;

private:
  using Clock = std::chrono::steady_clock;
  std::vector<std::pair<const char *, double>> Done; ///< milliseconds
  const char *Current = nullptr;
  Clock::time_point Since;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_PROCESS_TIMING_H
