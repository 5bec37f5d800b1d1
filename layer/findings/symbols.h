//===- layer/findings/symbols.h - what the frames of a backtrace are
// called -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_SYMBOLS_H
#define WARPSAN_LAYER_FINDINGS_SYMBOLS_H

#include "diagnose/finding.h"
#include "layer/process/backtrace.h"

#include <vector>

namespace warpsan {

/// Describes each of \p Traces, without the frames of this library and of the
/// OpenCL loader at its top, those of include/warpsan.h and of the C++
/// library's own functions, and what the C library has below main. From the
/// first frame of the Python interpreter on there are the functions that it ran
/// instead. Functions, files and lines come from warpsan-clc, which reads debug
/// information; if it does not answer, names come from dladdr. Takes
/// milliseconds.
std::vector<std::vector<HostFrame>>
describeTraces(const std::vector<Backtrace> &Traces);

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_SYMBOLS_H
