//===- compiler/ir/setters.h - kernels that only set variables ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each twin is a program of its own, with its own copy of program-scope
// variables. What kernels write there one copy has and the others lack, unless
// the writing kernel can run for each of them: a setter does nothing but store
// its arguments in such variables. The runtimes of CUDA and HIP have one for
// each __device__ variable, which tells the program where its memory is.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_SETTERS_H
#define WARPSAN_COMPILER_IR_SETTERS_H

#include "compiler/target/target.h"

#include "llvm/IR/Module.h"

namespace warpsan {

/// True of a kernel that can run for each copy of the program's variables.
bool isSetter(const llvm::Function &F, const Target &T);

/// True if a kernel that is no setter may change a program-scope variable.
bool hasMutableGlobals(const llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_SETTERS_H
