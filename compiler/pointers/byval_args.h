//===- compiler/pointers/byval_args.h - arguments that kernels change -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct that is passed to a kernel is a variable of each work-item. In
// SPIR-V it is a pointer with the attribute ByVal, and drivers give all
// work-items of a group the same memory (PoCL 6.0, Intel's runtime): a kernel
// that changes it calculates something else than the one that the driver
// compiled from source.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_BYVAL_ARGS_H
#define WARPSAN_COMPILER_POINTERS_BYVAL_ARGS_H

#include "compiler/target/target.h"

#include "llvm/IR/Module.h"

namespace warpsan {

/// True if every use of the memory behind \p Arg, a byval argument, is seen,
/// and reads.
bool isOnlyRead(const llvm::Argument &Arg);

/// Gives kernels that may change such an argument a copy of it. To be called
/// when all functions are inlined, and not for programs that came as SPIR-V:
/// theirs are as wrong as the driver's own.
void copyChangedArgs(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_BYVAL_ARGS_H
