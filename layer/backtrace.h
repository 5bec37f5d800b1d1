//===- layer/backtrace.h - who called, as addresses -----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames are kept as return addresses; what they mean is asked only for a
// finding (layer/symbols.h).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_BACKTRACE_H
#define WARPSAN_LAYER_BACKTRACE_H

#include <cstdint>
#include <unwind.h>
#include <vector>

namespace warpsan {

/// Frames that are kept, ours and the loader's included: those are dropped
/// when a trace is shown, and 32 of the application's are left.
inline constexpr uint32_t MaxFrames = 38;

/// A walk up the stack, on its way.
struct FrameWalk {
  void **To;
  uint32_t Most;
  uint32_t Count = 0;
};
/// Adds a frame; _Unwind_Backtrace calls it.
_Unwind_Reason_Code keepFrame(_Unwind_Context *Frame, void *Walk);

/// Return addresses, innermost first.
using Backtrace = std::vector<void *>;

/// Writes at most \p Most return addresses to \p To, innermost first; returns
/// how many.
///
/// Inline: each frame costs, and one of ours that is not there costs nothing.
[[gnu::always_inline]] inline uint32_t captureFrames(void **To, uint32_t Most) {
  FrameWalk Walk{To, Most};
  _Unwind_Backtrace(keepFrame, &Walk);
  return Walk.Count;
}

Backtrace captureBacktrace();

} // namespace warpsan

#endif // WARPSAN_LAYER_BACKTRACE_H
