//===- compiler/checks/accesses.h - every access of a kernel, and its
// bytes ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction can be several accesses: a memcpy reads and writes. What a
// builtin touches is in one table, builtin_accesses.def.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_ACCESSES_H
#define WARPSAN_COMPILER_CHECKS_ACCESSES_H

#include "compiler/target/target.h"

#include "llvm/IR/InstrTypes.h"

#include <optional>
#include <vector>

namespace warpsan {

struct Access {
  enum class Kind { Read, Write, Atomic };

  llvm::Instruction *At = nullptr;
  Kind What = Kind::Read;
  bool Reads = false, Writes = false;
  /// A builtin's name, "memcpy" or "memset"; empty for instructions.
  llvm::StringRef Builtin;
  llvm::Type *Accessed = nullptr; ///< null: no single value

  /// Where: Pointer + Index * Scale. Null for images. If Known is false
  /// it may be null, and which bytes are touched is not known.
  llvm::Value *Pointer = nullptr;
  llvm::Value *Index = nullptr;
  uint64_t Scale = 0;
  uint64_t Align = 1;
  bool Known = true;

  /// How much: Bytes, or Count elements of Bytes each, each Stride elements
  /// behind the one before it.
  uint64_t Bytes = 0;
  llvm::Value *Count = nullptr;
  llvm::Value *Stride = nullptr;
  /// For calls that all work-items of a group make together: which operand to
  /// make 0 instead of leaving the call out. -1: none.
  int CountOperand = -1;

  llvm::Value *Image = nullptr;
  llvm::Value *Coordinate = nullptr;
  /// Reads through a sampler have one of these: the argument, or a constant
  /// sampler's mode as in abi/sampler.h.
  llvm::Argument *Sampler = nullptr;
  std::optional<unsigned> SamplerMode;
};

/// All accesses of \p Kernel, in the order of its code.
std::vector<Access> accessesOf(llvm::Function &Kernel, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_ACCESSES_H
