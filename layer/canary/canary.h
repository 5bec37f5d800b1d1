//===- layer/canary/canary.h - what kernels without a twin write past the
// end --------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There are bytes of ours behind memory, and with scheme=canaries in front of
// it (layer/canary/canary_place.h). A launch that could not be a twin has them
// written before it and read after it, by commands in its own queue: nobody
// waits, and the application's event is the launch's own. Bytes that changed
// are a finding.
//
// The bytes of one place are written again once all launches that were watched
// with it have been looked at. A launch that comes earlier, in the same queue
// and in order, is checked against what is there; others are not watched.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_CANARY_CANARY_H
#define WARPSAN_LAYER_CANARY_CANARY_H

#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpsan {

/// A launch that is watched.
struct WatchedLaunch {
  LoggedLaunch Log;
  std::string Why; ///< it is no twin
};

/// Launches \p K natively on \p Queue: \p Enqueue calls the driver with events,
/// which are \p Theirs or more. Returns what the driver answered. \p Watched is
/// set if the memory of some argument is watched.
cl_int launchWatched(Kernel &K, cl_command_queue Queue, const NDRange &Range,
                     const std::string &Why, const EventArgs &Theirs,
                     const std::function<cl_int(const EventArgs &)> &Enqueue,
                     bool &Watched);

/// Bytes next to an argument's memory that changed.
struct Overwritten {
  std::shared_ptr<const WatchedLaunch> Launch;
  unsigned Arg = 0;
  std::shared_ptr<const Memory> Of; ///< the argument's
  bool InFront = false;             ///< of it; else behind it
  std::vector<uint8_t> Was, Is;     ///< everything there that is ours
  /// No other launch with this memory was under way.
  bool Alone = true;
};

/// What was found since the last call.
struct TakenCanaries {
  std::vector<Overwritten> Found;
  /// Frees that waited for it; to be called without a lock.
  std::vector<std::function<void()>> Frees;
};

/// True if a watched launch has ended since takeCanaries. Cheap.
bool haveCanaries();
TakenCanaries takeCanaries();

/// Calls \p Free, which frees shared virtual memory at \p Start, when what is
/// next to it is not watched any more.
void freeWhenUnwatched(const void *Start, const std::function<void()> &Free);

/// The process ends: gives launches that have ended a moment to be looked at.
/// Makes no call to the driver.
void awaitCanaries();

/// Around fork: a child has none of its parent's launches.
void lockCanaries();
void unlockCanaries();
void forgetCanaries(); ///< and unlocks

} // namespace warpsan

#endif // WARPSAN_LAYER_CANARY_CANARY_H
