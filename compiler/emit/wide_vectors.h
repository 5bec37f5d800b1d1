//===- compiler/emit/wide_vectors.h - builtins on the widest vectors ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_EMIT_WIDE_VECTORS_H
#define WARPSAN_COMPILER_EMIT_WIDE_VECTORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace warpsan {
class Target;

/// Makes of each call of an elementwise builtin, and of vstore16, with vectors
/// of 128 bytes (long16, double16) two calls with their halves; of shuffles,
/// moves of single elements.
///
/// PoCL 6.0 needs it: in its library such vectors are passed in memory, and
/// SPIR-V's calls give them in registers. max(long16, long16) is zero there and
/// vstore16 stores nothing, with and without WarpSan; from OpenCL C it is
/// right.
void splitWideCalls(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_EMIT_WIDE_VECTORS_H
