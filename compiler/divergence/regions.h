//===- compiler/divergence/regions.h - code in which work-items part ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region begins where a work-group is still together and ends where all of
// its work-items are expected again, whichever way they took. Between the two,
// divergent branches decide who reaches a barrier.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_REGIONS_H
#define WARPSAN_COMPILER_DIVERGENCE_REGIONS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/BasicBlock.h"

#include <vector>

namespace warpsan {

/// Entry dominates all blocks, and only Entry has predecessors outside. End,
/// which is not one of them, post-dominates all of them.
struct DivergentRegion {
  llvm::BasicBlock *Entry = nullptr;
  llvm::BasicBlock *End = nullptr;
  llvm::SetVector<llvm::BasicBlock *> Blocks;
};

/// The smallest regions that do not overlap and together contain \p Branches,
/// blocks of \p Kernel that end in a branch. Empty if there are none: some
/// block of \p Kernel never reaches its end. \p Kernel must have one block that
/// returns.
std::vector<DivergentRegion>
regionsOf(llvm::Function &Kernel, llvm::ArrayRef<llvm::BasicBlock *> Branches);

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_REGIONS_H
