//===- layer/findings/describe.h - details of findings --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a finding says of memory, launches and host frames, from the objects
// that the layer tracks.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_DESCRIBE_H
#define WARPSAN_LAYER_FINDINGS_DESCRIBE_H

#include "abi/record.h"
#include "diagnose/finding.h"
#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"

#include <memory>

namespace warpsan {

/// \p Object may be null.
MemoryInfo infoOf(const std::shared_ptr<const Life> &Object);

/// Without the backtraces: describe() adds them to new findings only.
LaunchInfo infoOf(const LoggedLaunch &Launch);

/// The application's memory that \p Record of a launch of \p Kernel is about;
/// null if there is none.
std::shared_ptr<const Memory> memoryOf(const WsRecord &Record,
                                       const KernelInfo &Kernel,
                                       const LoggedLaunch &Launch);

/// Fills in the symbolized frames of where \p Object, which may be null, was
/// created and released. May take seconds.
void describeMemoryFrames(Finding &F,
                          const std::shared_ptr<const Life> &Object);

/// Likewise, and those of \p Caller.
void describeFrames(Finding &F, Backtrace Caller,
                    const std::shared_ptr<const Life> &Object);

/// Fills in frames, the source excerpt and neighboring allocations. \p Object:
/// from memoryOf(). May take seconds.
void describe(Finding &F, const LoggedLaunch &Launch,
              const std::shared_ptr<const Memory> &Object);

/// Fills in what hostLocationOf() needs, of a finding of \p Launch. Takes
/// milliseconds.
void describeLocation(Finding &F, const LoggedLaunch &Launch);

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_DESCRIBE_H
