//===- compiler/target/builtins.h - OpenCL's and SPIR-V's builtins by name ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_BUILTINS_H
#define WARPSAN_COMPILER_TARGET_BUILTINS_H

#include "llvm/ADT/StringRef.h"

namespace warpsan {

/// "vload4" for "_Z6vload4mPU3AS1Kf", "AtomicIAdd" for
/// "_Z18__spirv_AtomicIAddPU3AS1iiii", "printf" for "printf". Empty if no
/// OpenCL builtin has that name. A part of \p Symbol, or a literal.
llvm::StringRef openclBuiltinName(llvm::StringRef Symbol);

/// True for names that only device-side enqueueing needs.
bool isDeviceEnqueue(llvm::StringRef Symbol);

/// Reads the headers' function names once, so that a forked child has them.
void loadBuiltinNames();

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_BUILTINS_H
