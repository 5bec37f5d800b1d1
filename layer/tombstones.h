//===- layer/tombstones.h - memory objects that were released -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a handle stood for after the application has let go of it, until the
// driver hands the same handle out again.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TOMBSTONES_H
#define WARPSAN_LAYER_TOMBSTONES_H

#include "layer/objects.h"

namespace warpsan {

/// To be called before the driver's release.
void bury(cl_mem Handle, std::shared_ptr<const Memory> Of);

/// The driver has handed out \p Handle.
void exhume(cl_mem Handle);

/// From now on handles may be handed out unseen: nothing is buried any more.
void stopBurying();

/// Null if the handle is a live one, or one that we never knew.
std::shared_ptr<const Memory> buriedAt(cl_mem Handle);

} // namespace warpsan

#endif // WARPSAN_LAYER_TOMBSTONES_H
