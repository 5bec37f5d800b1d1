//===- compiler/ir/source_types.h - types as the source spells them -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_SOURCE_TYPES_H
#define WARPSAN_COMPILER_IR_SOURCE_TYPES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

/// "float[16]", "float4 *", "struct Node"; empty if not known.
std::string typeName(const llvm::DIType *Type);

/// What an array is of, arrays of arrays too; another type itself. Without
/// typedefs and qualifiers; null if not known.
const llvm::DIType *elementType(const llvm::DIType *Type);

/// What a pointer points to; null for other types.
const llvm::DIType *pointee(const llvm::DIType *Type);

/// Bytes of elementType(); 0 if not known.
uint64_t elementSize(const llvm::DIType *Type);

bool isStruct(const llvm::DIType *Type);

/// Where in a struct a member is.
struct Field {
  std::string Name; ///< "body.pos"
  uint64_t Offset, Bytes;
  uint64_t Element; ///< bytes of an array's element; 0: no array
};

/// The members of a struct, those of structs in it in their place, by offset.
/// Empty for other types. Bit-fields and members of unions are skipped, and
/// so is what comes after the first 64.
std::vector<Field> fieldsOf(const llvm::DIType *Type);

/// "float4" for <4 x float>: OpenCL C's name of a type, if it has one. The
/// signs of integers are not known, so they are named as signed ones.
std::string typeName(const llvm::Type *Type);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_SOURCE_TYPES_H
