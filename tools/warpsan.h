//===- tools/warpsan.h - the subcommands of `warpsan` ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_WARPSAN_H
#define WARPSAN_TOOLS_WARPSAN_H

#include <span>

namespace warpsan {

/// Exit codes of the command itself, as env(1), timeout(1) and sysexits(3)
/// have them: what the program returns stays apart from them where it can.
enum ExitCode : int {
  ExitUsage = 64,          ///< a wrong option or argument
  ExitBadInput = 65,       ///< of warpsan report: a file cannot be read
  ExitOwnFailure = 125,    ///< the command itself failed
  ExitNotExecutable = 126, ///< the program was found and cannot be started
  ExitNotFound = 127,      ///< there is no such program
};

/// Each takes the words after its name and returns the exit code.
int runCommand(std::span<char *const> Words);
int doctorCommand(std::span<char *const> Words);
int explainCommand(std::span<char *const> Words);
int reportCommand(std::span<char *const> Words);

} // namespace warpsan

#endif // WARPSAN_TOOLS_WARPSAN_H
