//===- layer/findings/watcher.h - reports of launches that do not end -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The application's own calls report what launches have recorded, once it waits
// for them. A thread of ours reports what has been recorded for half a second
// and that nobody asked for: of a launch that runs for long, or never ends. It
// makes no call to the driver.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_WATCHER_H
#define WARPSAN_LAYER_FINDINGS_WATCHER_H

namespace warpsan {

/// Starts the thread if there is none. Cheap.
void watchLaunches();

/// A forked child has no thread of its parent's.
void forgetWatcher();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_WATCHER_H
