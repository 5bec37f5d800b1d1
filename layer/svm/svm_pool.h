//===- layer/svm/svm_pool.h - small shared virtual memory, placed by us ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver makes large chunks, each cut into slots of one power of two; an
// allocation is one slot. So its bounds are a mask and a load away from any
// address in it (abi/heap.h), and the driver, which may search all of its
// memory at each allocation, has little of it.
//
// What was freed is dead at once, and its slot is not used again before many
// others were freed; until then it is known what it was.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_SVM_POOL_H
#define WARPSAN_LAYER_SVM_SVM_POOL_H

#include "layer/svm/svm_ranges.h"

#include <optional>

namespace warpsan {

/// clSVMAlloc's arguments. Null if it is not ours to place: the driver has to
/// be asked, and may refuse.
void *allocateSlot(cl_context Context, cl_svm_mem_flags Flags, size_t Size,
                   cl_uint Alignment);

/// None if \p Start is in no chunk.
std::optional<FreedIs> freeSlot(const void *Start, const char *Call);

/// None if \p Pointer is in no chunk. Of is null for a slot that was never
/// used.
std::optional<SvmPlace> slotPlaceOf(const void *Pointer);

void forEachLiveSlot(
    const std::function<void(const std::shared_ptr<const Memory> &)> &Visit);

/// Gives the driver back what has no live slot.
void emptySlots(cl_context Context);

/// The driver has handed out [Start, Start + Size): what we knew of it is old.
void forgetSlotsAt(const void *Start, size_t Size);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_SVM_POOL_H
