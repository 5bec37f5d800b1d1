//===- compiler/divergence/stack_slots.h - values kept in private memory --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_STACK_SLOTS_H
#define WARPSAN_COMPILER_DIVERGENCE_STACK_SLOTS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace warpsan {

/// Makes variables of one kernel's work-items.
class StackSlots {
public:
  /// \p Volatile: all accesses to them are. PoCL 6.0 takes a value that is
  /// joined from constants for one of the whole work-group, even if work-items
  /// came different ways.
  StackSlots(llvm::Function &Kernel, bool Volatile)
      : Kernel(Kernel), Volatile(Volatile) {}

  /// Booleans are kept as bytes: SPIR-V's have no size in memory, and Intel's
  /// runtime loses volatile ones.
  llvm::AllocaInst *make(llvm::Type *Declared, const char *Name) const;
  /// One that is 0 when the kernel begins.
  llvm::AllocaInst *makeZero(llvm::Type *Type, const char *Name);
  void store(llvm::IRBuilderBase &Build, llvm::Value *What,
             llvm::AllocaInst *To) const;
  /// \p As: the type that the slot was made for, if it may be a boolean.
  llvm::Value *load(llvm::IRBuilderBase &Build, llvm::AllocaInst *From,
                    llvm::Type *As = nullptr) const;
  /// Replaces the phis of \p Block, before its predecessors change.
  void keepPhis(llvm::BasicBlock *Block) const;
  /// Keeps every value that is used where its definition does not dominate; if
  /// accesses are volatile, also those that cross one of \p Headers, of loops
  /// with a barrier.
  void keepValues(llvm::ArrayRef<llvm::BasicBlock *> Headers) const;

private:
  llvm::BasicBlock::iterator place() const;
  void adopt(llvm::AllocaInst *Slot) const;

  llvm::Function &Kernel;
  bool Volatile;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_STACK_SLOTS_H
