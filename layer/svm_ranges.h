//===- layer/svm_ranges.h - live shared virtual memory, by address --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_RANGES_H
#define WARPSAN_LAYER_SVM_RANGES_H

#include <cstddef>

namespace warpsan {

/// Records an allocation of clSVMAlloc or of unified shared memory.
void addSvmRange(const void *Start, size_t Size);
void removeSvmRange(const void *Start);

/// Bytes from \p Pointer to the end of the allocation that it points into; 0
/// if into none.
size_t svmBytesFrom(const void *Pointer);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_RANGES_H
