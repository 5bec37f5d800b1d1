//===- compiler/ir/barriers.h - barriers of a work-group ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_BARRIERS_H
#define WARPSAN_COMPILER_IR_BARRIERS_H

#include "compiler/target/target.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace warpsan {

/// True if all operands of \p Barrier are constants, so that a clone of it is
/// valid anywhere in the function.
bool hasConstantFence(const llvm::CallBase &Barrier);

/// Which memory a barrier is a fence for, beside local and global memory.
struct Fence {
  /// SPIR-V's number of the widest memory scope: 2 is the work-group.
  uint32_t Scope = 2;
  bool Images = false;
  /// Sequentially consistent, not only acquire and release.
  bool Sequential = false;

  bool isWiderThanWorkGroup() const { return Scope < 2; }

  /// A fence for what either is a fence for.
  Fence operator|(const Fence &Other) const;
};

/// What \p Barrier, a barrier of the work-group, is a fence for. Operands that
/// are not constants may be any.
Fence fenceOf(const llvm::CallBase &Barrier, const Target &T);

/// i1: \p Barrier, a barrier of the work-group, is a fence for \p Memory, local
/// or global.
llvm::Value *fences(llvm::IRBuilderBase &Build, const llvm::CallBase &Barrier,
                    Space Memory, const Target &T);
/// True if it is, or may be.
bool mayFence(const llvm::CallBase &Barrier, Space Memory, const Target &T);

/// A barrier of the work-group.
void makeBarrier(llvm::IRBuilder<> &Build, llvm::Module &Program,
                 Fence For = {});

/// A work-group barrier in \p L with a constant fence; null if there is none.
const llvm::Instruction *barrierIn(const llvm::Loop &L, const Target &T);

/// Gives every barrier of the work-group a constant fence: LLVM's translator to
/// SPIR-V and Mesa's reader of it know no other. It orders whatever the
/// computed one may.
void makeFencesConstant(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_BARRIERS_H
