//===- compiler/pointers/lifetimes.h - which life of a variable it is -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable whose address may outlive it
// (compiler/pointers/escaping_addresses) is given a number that its markers
// change: odd while it lives, and another one in each life. A pointer to it
// carries the number of when it was made. If the variable's number is another
// one at an access, the pointer is to a life that has ended.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_LIFETIMES_H
#define WARPSAN_COMPILER_POINTERS_LIFETIMES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace warpsan {

class Lifetimes {
public:
  /// Puts the numbers of the marked variables into \p Kernel.
  explicit Lifetimes(llvm::Function &Kernel);

  bool any() const { return !Numbers.empty(); }
  bool areCounted(llvm::Value *Variable) const {
    return Numbers.contains(Variable);
  }

  /// i32: the variable's number where \p Build is.
  llvm::Value *now(llvm::Value *Variable, llvm::IRBuilderBase &Build) const;

  /// The same; \p IfDead if the variable is not alive there.
  llvm::Value *nowOr(uint32_t IfDead, llvm::Value *Variable,
                     llvm::IRBuilderBase &Build) const;

  /// What pointers carry that need not be compared.
  static constexpr uint32_t None = 0;
  /// What a pointer carries that was found to be to a variable that is dead.
  static constexpr uint32_t Dead = UINT32_MAX;

private:
  llvm::MapVector<llvm::Value *, llvm::AllocaInst *> Numbers;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_LIFETIMES_H
