//===- layer/svm/svm_neighbors.h - allocations next to one ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_SVM_NEIGHBORS_H
#define WARPSAN_LAYER_SVM_SVM_NEIGHBORS_H

#include "layer/objects/objects.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace warpsan {

struct NearMemory {
  std::shared_ptr<const Memory> Of;
  uintptr_t Start;
};

/// Of the shared virtual memory \p Of, which starts at \p Start: the nearest
/// before and after it that are not far away, and the one that \p Access is in;
/// by address. Dead memory counts.
std::vector<NearMemory> svmNear(const std::shared_ptr<const Memory> &Of,
                                uintptr_t Start, uintptr_t Access);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_SVM_NEIGHBORS_H
