//===- layer/findings/callers.h - which call of the program is wrong ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_CALLERS_H
#define WARPSAN_LAYER_FINDINGS_CALLERS_H

#include "diagnose/finding.h"
#include "layer/process/backtrace.h"

namespace warpsan {

/// Sets Launch.Launched, Id and Fingerprint of \p F, a wrong call from \p
/// Caller. Symbolizes each backtrace once, which takes milliseconds; call it
/// without a lock.
void identifyCaller(Finding &F, Backtrace Caller);

/// Around a fork, so that the child finds it whole.
void lockCallers();
void unlockCallers();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_CALLERS_H
