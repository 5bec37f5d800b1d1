//===- compiler/ir/cuda.h - what CUDA and HIP programs look like ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA and HIP come as SPIR-V, in which nothing says so. But what chipStar adds
// to every program begins with "__chip_". That kernels are C++ functions is so
// of other languages too.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_CUDA_H
#define WARPSAN_COMPILER_IR_CUDA_H

#include "llvm/IR/Module.h"

#include <string>

namespace warpsan {

/// Remembers in \p Program, of which nothing has been removed yet, whether it
/// is one.
void recordCuda(llvm::Module &Program);
/// As recorded.
bool isCuda(const llvm::Module &Program);

/// "tile" for "_ZZ6smoothPfiE4tile" and for "__const.smooth.tile"; other names
/// are as they are.
std::string sourceNameOf(llvm::StringRef Symbol);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_CUDA_H
