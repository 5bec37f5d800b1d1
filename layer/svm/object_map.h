//===- layer/svm/object_map.h - marked objects as twins see them ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's side of abi/heap.h's WsObjects. It does not know which memory has
// which objects: layer/svm/marked_objects does. One thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_OBJECT_MAP_H
#define WARPSAN_LAYER_SVM_OBJECT_MAP_H

#include "abi/heap.h"

namespace warpsan {

/// Enters \p Bytes from \p Start on, which no other object has; \p Rights:
/// WS_NOT_READABLE, ... \p Before and \p After are the last object that begins
/// before and the first that begins after; null: there is none. Null if there
/// is no memory for it.
WsObject *addObject(WsU64 Start, WsU64 Bytes, WsU64 Rights, WsObject *Before,
                    WsObject *After);

/// From now on nothing of it may be touched.
void killObject(WsObject *Object);

/// Its addresses are of no object.
void removeObject(WsObject *Object, WsObject *Before, WsObject *After);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_OBJECT_MAP_H
