//===- layer/order/command_access.h - what a command certainly accesses ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_ORDER_COMMAND_ACCESS_H
#define WARPSAN_LAYER_ORDER_COMMAND_ACCESS_H

#include "layer/process/backtrace.h"
#include "proof/races/certain_accesses.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

struct LaunchedKernel; // layer/objects/launch_log.h
struct Memory;         // layer/objects/objects.h

/// Bytes that a command certainly reads or writes.
struct CommandAccess {
  /// A buffer, not a part of it, or an allocation of shared virtual memory.
  std::shared_ptr<const Memory> Of;
  std::vector<ByteRange> Ranges; ///< sorted, and apart
  bool Writes = false;
  bool Atomic = false; ///< to other commands too
  /// It writes the same bytes whenever it is executed. Pattern: which ones, or
  /// empty if that is not known.
  bool StoresConstant = false;
  std::string Pattern = {};
  /// Of a kernel: the argument, and the access's number.
  std::optional<uint32_t> Arg = {};
  uint32_t Site = 0;
};

/// A command, as far as a report wants to know.
struct Command {
  const char *Call = "";
  Backtrace Caller;
  std::shared_ptr<const LaunchedKernel> Kernel; ///< null: no kernel
  const void *Queue = nullptr;                  ///< its handle, to compare
  std::vector<CommandAccess> Accesses;
};

/// Two commands that nothing orders, and what they both access.
struct CommandRace {
  std::shared_ptr<const Command> Later, Earlier; ///< as they were enqueued
  size_t LaterAccess = 0, EarlierAccess = 0;     ///< in Command::Accesses
  ByteRange Bytes;
  /// The earlier command maps memory, which is not unmapped before the later
  /// one.
  bool IsMapped = false;
};

/// The first bytes that both access, if they conflict: one writes, and neither
/// both are atomic nor both store the same constant. None if they do not.
std::optional<ByteRange> conflictOf(const CommandAccess &A,
                                    const CommandAccess &B);

} // namespace warpsan

#endif // WARPSAN_LAYER_ORDER_COMMAND_ACCESS_H
