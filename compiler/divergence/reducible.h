//===- compiler/divergence/reducible.h - loops with a single entry --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_REDUCIBLE_H
#define WARPSAN_COMPILER_DIVERGENCE_REDUCIBLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/BasicBlock.h"

#include <vector>

namespace warpsan {

/// Control enters \p Blocks, which are in reverse post-order, at each of
/// \p Starts. Returns the blocks that must be entered from outside only, as
/// new starts, so that all loops that remain among \p Blocks have one entry.
/// Edges that leave \p Blocks do not matter.
std::vector<llvm::BasicBlock *>
blocksToEnterAnew(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                  llvm::ArrayRef<llvm::BasicBlock *> Starts);

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_REDUCIBLE_H
