//===- layer/api/order/ordering_stage.h - orders an application's calls ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_ORDER_ORDERING_STAGE_H
#define WARPSAN_LAYER_API_ORDER_ORDERING_STAGE_H

namespace warpsan {

/// Fills in Pipeline.Ordering, after addHandleChecks(). With races=on, calls
/// that enqueue, wait, or tell what is complete go into the CommandGraph;
/// otherwise all entries are those of the next stage.
void addOrdering();

} // namespace warpsan

#endif // WARPSAN_LAYER_API_ORDER_ORDERING_STAGE_H
