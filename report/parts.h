//===- report/parts.h - the parts of a text report ------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_PARTS_H
#define WARPSAN_REPORT_PARTS_H

#include "report/report.h"

#include <string>

namespace warpsan {

/// What the access was held to, as a sentence calls it: "'dest'", "argument 2",
/// "a local variable"; empty if nothing is known of it.
std::string subjectOf(const Finding &F);

/// Its bare name, printable; empty if it has none.
std::string labelOf(const Finding &F);

/// "(64, 3)"; empty if the record's bits cannot be the true coordinates.
std::string coordinatesOf(const Finding &F);

/// "64 x 32": as many numbers as the image has dimensions.
std::string imageExtent(const Finding &F);

/// "cudaMalloc memory"; \p Kind if no runtime made it.
std::string allocationOf(const Finding &F, const char *Kind);

/// CUDA's `extern __shared__`: a last argument that the source does not have.
bool isDynamicShared(const Finding &F);

/// "'dest' is argument 2, __global float *: a buffer, read and write"; empty if
/// nothing is known. Long ones are broken in two.
std::string memoryLine(const Finding &F);

/// Where the memory was created and the kernel launched; several lines, or
/// none.
std::string backtracesText(const Finding &F, const TextStyle &Style,
                           size_t Indent);

} // namespace warpsan

#endif // WARPSAN_REPORT_PARTS_H
