//===- layer/launch/choose_twin.h - the twin of a launch, by what it
// proves -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_CHOOSE_TWIN_H
#define WARPSAN_LAYER_LAUNCH_CHOOSE_TWIN_H

#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"

namespace warpsan {

struct Launch;
class TwinPool;

/// The twin of a launch of \p K, by what it proves of the claims of \p Lean, a
/// lean twin; null if it proves all of them. Sets in \p Result what was proven
/// and what that rests on. \p Recorded: it may be launched later, and often.
TwinPool *chooseTwin(Kernel &K, cl_command_queue Queue, cl_device_id Device,
                     const NDRange &Range, bool Recorded, TwinPool &Lean,
                     Launch &Result);

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_CHOOSE_TWIN_H
