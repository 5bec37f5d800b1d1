//===- compiler/inline.h - every function into its kernels ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_INLINE_H
#define WARPSAN_COMPILER_INLINE_H

#include "compiler/ir/refusals.h"
#include "compiler/target/target.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace warpsan {

/// Inlines all calls, bottom up, and simplifies each function once before it is
/// copied into its callers. Afterwards kernels are the only functions with a
/// body, and call builtins only. Fails on recursion and device-side enqueueing.
/// Kernels with calls through pointers, inline assembly, private memory of a
/// size that is not known or integers that SPIR-V does not have are refused.
/// Without \p Speculates no load is executed that the source does not execute,
/// and stores under different conditions stay apart.
llvm::Error inlineIntoKernels(llvm::Module &Program, bool Speculates,
                              const Target &T, Refusals &Refused);

} // namespace warpsan

#endif // WARPSAN_COMPILER_INLINE_H
