//===- layer/process/backtrace.h - who called, as addresses ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames are kept as return addresses; what they mean is asked only for a
// finding (layer/findings/symbols.h). Frames of Python's cannot wait: they are
// named when they are met first (layer/process/python.h).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_BACKTRACE_H
#define WARPSAN_LAYER_PROCESS_BACKTRACE_H

#include "layer/process/python.h"

#include <compare>
#include <cstdint>
#include <span>

namespace warpsan {

/// Frames that are kept, ours and the loader's included: those are dropped
/// when a trace is shown, and 32 of the application's are left.
inline constexpr uint32_t MaxFrames = 38;

/// Return addresses, innermost first. Equal ones are kept once and for ever, so
/// one is as small as its number.
class Backtrace {
public:
  Backtrace() = default; ///< of no frames
  explicit Backtrace(std::span<void *const> Frames);

  std::span<void *const> frames() const;
  /// What the interpreter among these frames was running; often nothing.
  std::span<const HostFrame> python() const { return InPython.frames(); }
  auto operator<=>(const Backtrace &) const = default;

private:
  friend Backtrace captureBacktrace();
  uint32_t Number = 0;
  PythonTrace InPython;
};

/// Who called the caller. Costs about a microsecond the first time, and next to
/// nothing when the thread comes the same way again.
[[gnu::noinline]] Backtrace captureBacktrace();

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_BACKTRACE_H
