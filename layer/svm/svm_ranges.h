//===- layer/svm/svm_ranges.h - shared virtual memory, by address ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every allocation from its making until its address can be handed out again.
// What the application frees goes into quarantine: it is dead for twins, and
// the driver keeps it until newer dead memory takes its place there.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_SVM_RANGES_H
#define WARPSAN_LAYER_SVM_SVM_RANGES_H

#include "abi/heap.h"
#include "layer/objects/objects.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace warpsan {

/// The bytes to request from the driver for an allocation of \p Size bytes:
/// with the gap that separates allocations, if they are checked.
size_t withGap(size_t Size);

/// Records an allocation of clSVMAlloc or of unified shared memory that \p Call
/// made, \p FrontPad bytes earlier for the driver; nothing if \p Start is null.
/// False if it is not recorded.
bool addSvmRange(cl_context Context, const void *Start, size_t Size,
                 Memory::Kind What, cl_mem_flags Flags, const char *Call,
                 size_t FrontPad = 0);

/// What the application wants to free.
enum class FreedIs : uint8_t {
  Live,     ///< an allocation; it is dead now
  Dead,     ///< one that was freed before, or inside of it
  Interior, ///< inside of a live allocation
  Unknown,  ///< none that we know
};

/// The application frees \p Start, of \p Context. \p Free frees it in the
/// driver; it is called when the memory leaves the quarantine, only if it was
/// Live, and not for memory of our own pool (svm_pool.h).
FreedIs freeSvmRange(cl_context Context, const void *Start, const char *Call,
                     const std::function<void()> &Free);

/// The same, where the call that frees must not be put off: \p Free, which
/// waits for kernels that still use the memory, is called at once.
FreedIs freeSvmRangeAtOnce(const void *Start, const char *Call,
                           const std::function<void()> &Free);

/// Frees everything of \p Context that is in quarantine.
void emptyQuarantine(cl_context Context);

/// Where a pointer points.
struct SvmPlace {
  std::shared_ptr<const Memory> Of; ///< null: into no allocation that we know
  uint64_t Offset = 0;              ///< bytes from the allocation's start
  /// What twins read of it, as WsBlock::Size; null: nothing. If it is there, an
  /// address without Of is in memory that is ours to hand out, and was not.
  WsU64 *Size = nullptr;
};
/// Dead memory counts; so does the address right behind an allocation.
SvmPlace svmPlaceOf(const void *Pointer);

/// Calls \p Visit with each allocation that is not freed, under a lock.
void forEachLiveSvm(
    const std::function<void(const std::shared_ptr<const Memory> &)> &Visit);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_SVM_RANGES_H
