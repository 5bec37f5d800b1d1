//===- layer/svm_ranges.h - live shared virtual memory, by address --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_RANGES_H
#define WARPSAN_LAYER_SVM_RANGES_H

#include "layer/objects.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpsan {

/// Records an allocation of clSVMAlloc or of unified shared memory that \p Call
/// made; nothing if \p Start is null.
void addSvmRange(const void *Start, size_t Size, Memory::Kind What,
                 cl_mem_flags Flags, const char *Call);
void removeSvmRange(const void *Start);

/// Where a pointer points.
struct SvmPlace {
  std::shared_ptr<const Memory> Of; ///< null: into no allocation that we know
  uint64_t Offset = 0;              ///< bytes from the allocation's start
};
SvmPlace svmPlaceOf(const void *Pointer);

/// True once there was an allocation. Cheap.
bool svmWasAllocated();

/// Changes whenever an allocation comes or goes: what svmPlaceOf said before
/// may be out of date. Cheap.
uint64_t svmEpoch();

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_RANGES_H
