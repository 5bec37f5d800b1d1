//===- compiler/source_types.h - types as the source spells them ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SOURCE_TYPES_H
#define WARPSAN_COMPILER_SOURCE_TYPES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Type.h"

#include <cstdint>
#include <string>

namespace warpsan {

/// "float[16]", "float4 *", "struct Node"; empty if not known.
std::string typeName(const llvm::DIType *Type);

/// Bytes of an array's element; for other types of the type itself.
uint64_t elementSize(const llvm::DIType *Type);

/// "float4" for <4 x float>: OpenCL C's name of a type, if it has one. The
/// signs of integers are not known, so they are named as signed ones.
std::string typeName(const llvm::Type *Type);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SOURCE_TYPES_H
