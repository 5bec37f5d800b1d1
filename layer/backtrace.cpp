//===- layer/backtrace.cpp - who called, as addresses ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc's backtrace() is the same walk behind a lazily loaded libgcc; libgcc
// is linked here, and its lookups take no lock (_dl_find_object).
//
//===----------------------------------------------------------------------===//
#include "layer/backtrace.h"

using namespace warpsan;

_Unwind_Reason_Code warpsan::keepFrame(_Unwind_Context *Frame, void *Walk) {
  auto *W = static_cast<FrameWalk *>(Walk);
  auto Address = _Unwind_GetIP(Frame);
  if (!Address || W->Count == W->Most)
    return _URC_END_OF_STACK;
  W->To[W->Count++] = reinterpret_cast<void *>(Address);
  return _URC_NO_REASON;
}

Backtrace warpsan::captureBacktrace() {
  void *Frames[MaxFrames];
  uint32_t Count = captureFrames(Frames, MaxFrames);
  return Backtrace(Frames, Frames + Count);
}
