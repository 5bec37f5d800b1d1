//===- tools/run/progress.h - why a program seems to stand still ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a program waits for its twins it does nothing that a person could see.
// `warpsan run` looks at what its processes count and says so, on a terminal
// only, and ever more rarely: a line that is written anew each second would be
// mixed with what the program writes. The program itself has no part in it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_RUN_PROGRESS_H
#define WARPSAN_TOOLS_RUN_PROGRESS_H

#include <chrono>
#include <optional>
#include <string>

namespace warpsan {

class Progress {
public:
  /// How often look() wants to be called.
  static constexpr std::chrono::milliseconds Every{250};

  /// \p Directory is the run's.
  explicit Progress(std::string Directory) : Directory(std::move(Directory)) {}

  /// Whether there is anybody to tell: stderr is a terminal.
  static bool isWanted();
  /// Says that kernels are being instrumented, if a process has been waiting
  /// for that each time in the last two seconds; again after 5, 10, 20 and so
  /// on.
  void look();

private:
  const std::string Directory;
  std::optional<std::chrono::steady_clock::time_point> Waiting; ///< since
  std::chrono::seconds Next{2}; ///< of waiting, until something is said
};

} // namespace warpsan

#endif // WARPSAN_TOOLS_RUN_PROGRESS_H
