//===- tools/process/child.h - a program started in the foreground --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_PROCESS_CHILD_H
#define WARPSAN_TOOLS_PROCESS_CHILD_H

#include <optional>

namespace warpsan {

class Progress;

/// How a program ended. Exactly one is set.
struct Ending {
  std::optional<int> ExitCode;
  std::optional<int> Signal;
  std::optional<int> StartError; ///< errno of exec: it never ran
};

/// Opens /dev/null on descriptors 0 to 2 that are closed, for this process
/// only, so that no file of ours becomes somebody's stdout.
void guardStandardDescriptors();

/// Starts \p Words (ends in a null pointer; looked for in PATH) in this process
/// group with this process's environment, passes signals and job control on,
/// and returns when it has ended. Call once, from a process with one thread.
/// \p Watching, which may be null, looks on meanwhile.
Ending runInForeground(char *const *Words, Progress *Watching);

/// Ends this process by \p Signal, without a core dump: the program has left
/// its own.
[[noreturn]] void dieOfSignal(int Signal);

} // namespace warpsan

#endif // WARPSAN_TOOLS_PROCESS_CHILD_H
