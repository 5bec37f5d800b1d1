//===- layer/findings.h - from the record buffers to people ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_H
#define WARPSAN_LAYER_FINDINGS_H

namespace warpsan {

/// Reports what twins have recorded since the last call: each new finding at
/// once, on standard error and in findings_file; those known are counted. Ends
/// the process if halt_on_error is set and there was any. Makes no call to the
/// driver. Cheap when there is nothing.
void reportRecords();

/// To be called once, at start: looks again when the process ends.
void watchForTheEnd();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_H
