//===- tools/process/subprocess.h - work that may crash, hang or exit -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A driver can take its process down: some call exit() on SPIR-V they do not
// like. `warpsan doctor` touches drivers only in processes of their own.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_PROCESS_SUBPROCESS_H
#define WARPSAN_TOOLS_PROCESS_SUBPROCESS_H

#include <functional>
#include <string>

namespace warpsan {

struct GuardedResult {
  /// What the work returned; empty if it did not come to its end.
  std::string Bytes;
  /// stdout and stderr of the process, at most the last few KB.
  std::string Output;
  /// Empty if the process returned and exited with 0; otherwise how it ended,
  /// "was killed by signal 11 (Segmentation fault)".
  std::string Problem;
  double Seconds = 0;
};

/// Runs \p Work in a child process, for at most \p Seconds.
GuardedResult runGuarded(const std::function<std::string()> &Work,
                         double Seconds);

} // namespace warpsan

#endif // WARPSAN_TOOLS_PROCESS_SUBPROCESS_H
