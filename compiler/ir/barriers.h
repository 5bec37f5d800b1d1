//===- compiler/ir/barriers.h - barriers of a work-group ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_BARRIERS_H
#define WARPSAN_COMPILER_IR_BARRIERS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instruction.h"

namespace warpsan {

class Target;

/// A work-group barrier in \p L with constant operands, so that a clone of it
/// is valid anywhere in the function; null if there is none.
const llvm::Instruction *barrierIn(const llvm::Loop &L, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_BARRIERS_H
