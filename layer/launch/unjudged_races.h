//===- layer/launch/unjudged_races.h - why races are not looked for -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches with --races=on in which data races may not be found. The reasons
// are listed in the summary (docs/reference/limits.md).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_UNJUDGED_RACES_H
#define WARPSAN_LAYER_LAUNCH_UNJUDGED_RACES_H

#include "layer/launch/twin_kernel.h"

#include <string>

namespace warpsan {

/// Why a launch of \p Range on \p On must not be watched, since what looks like
/// a race may be the driver's doing; empty: it may be.
std::string whyNotWatched(const NDRange &Range, const Device &On);

/// Why data races of a launch of \p Instance may not be found; empty if they
/// are.
std::string whyRacesUnjudged(const TwinPool &Pool,
                             const TwinInstance &Instance);

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_UNJUDGED_RACES_H
