//===- compiler/ir/synchronization.h - what orders accesses ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_SYNCHRONIZATION_H
#define WARPSAN_COMPILER_IR_SYNCHRONIZATION_H

#include "compiler/target/target.h"

#include "llvm/IR/IRBuilder.h"

#include <string>

namespace warpsan {

/// True if accesses to \p Memory, local or global, before and after \p Call
/// are, or may be, ordered for the work-group: a barrier with that fence, or
/// one whose flags are not known, and any other function of a whole work-group.
bool ordersMemory(const llvm::CallBase &Call, Space Memory, const Target &T);

/// True if accesses to \p Memory, local or global, before and after \p Call
/// are surely ordered for the work-group: it is a barrier with that fence.
bool surelyOrdersMemory(const llvm::CallBase &Call, Space Memory,
                        const Target &T);

/// Why accesses of \p Kernel may be ordered by more than such calls, so that
/// none is called a race; empty: they are not. By atomics that acquire or
/// release, fences beside atomics, sub-groups.
std::string whyNotJudged(const llvm::Function &Kernel, const Target &T);

/// True if \p I is an atomic operation whose scope is the work-group or less:
/// to other work-groups it is a plain access. In SPIR-V a scope of the
/// work-group does not tell: every atomic of OpenCL C 1.x has it.
bool isWithinWorkGroup(const llvm::Instruction &I, const Target &T);

/// True if \p I is an atomic compare-exchange.
bool mayFail(const llvm::Instruction &I, const Target &T);

/// i1, behind \p I, of which mayFail() is true: it has exchanged.
llvm::Value *hasSucceeded(llvm::Instruction &I, llvm::IRBuilderBase &Build);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_SYNCHRONIZATION_H
