//===- compiler/pointers/pointer_metadata.h - values next to
// pointers ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers stay as they are; what is known of one is in values beside it, its
// fields. They are made where they are first asked for, next to the pointer
// they belong to: a phi gets a phi, a select a select. What a field is where
// a pointer begins, after arithmetic and when it comes out of memory, is for
// derived classes to say.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_POINTER_METADATA_H
#define WARPSAN_COMPILER_POINTERS_POINTER_METADATA_H

#include "compiler/pointers/roots.h"

#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <map>

namespace warpsan {

/// Makes no instruction for what is known without one.
class Builder : public llvm::IRBuilder<llvm::InstSimplifyFolder> {
public:
  explicit Builder(llvm::Instruction *Before)
      : IRBuilder(Before->getContext(),
                  llvm::InstSimplifyFolder(Before->getDataLayout())) {
    SetInsertPoint(Before);
  }
};

class PointerMetadata {
public:
  PointerMetadata(const PointerMetadata &) = delete;
  PointerMetadata &operator=(const PointerMetadata &) = delete;

protected:
  using Field = unsigned; ///< derived classes number theirs

  PointerMetadata(llvm::Function &Kernel, RootTable &Roots);
  virtual ~PointerMetadata();

  /// Usable wherever \p Pointer is.
  llvm::Value *field(llvm::Value *Pointer, Field Which);

  /// Before what a field of \p Pointer can be made that needs not the pointer
  /// itself; Start for what is no instruction.
  llvm::Instruction *placeOf(llvm::Value *Pointer);

  virtual llvm::Type *typeOf(Field Which) = 0;
  /// If it is known without looking how \p Pointer was made; else null.
  virtual llvm::Value *atOnce(llvm::Value *Pointer, Field Which) = 0;
  /// Of a pointer to the start of a root.
  virtual llvm::Value *ofRoot(unsigned Index, Field Which) = 0;
  /// Of a mark (compiler/pointers/escaping_addresses): \p Variable's address,
  /// taken here. Null: as any pointer to the variable.
  virtual llvm::Value *ofMark(llvm::Instruction &Mark, llvm::Value *Variable,
                              Field Which) = 0;
  virtual llvm::Value *ofAddress(llvm::GEPOperator &Address, Field Which) = 0;
  /// Of a pointer made of an integer that was made of a pointer.
  virtual llvm::Value *ofInteger(llvm::Operator &Cast, Field Which) = 0;
  /// Of a pointer that was kept in private or local memory.
  virtual llvm::Value *ofKept(llvm::LoadInst &Load, Field Which) = 0;
  /// Of a pointer of which no more than its address is known.
  virtual llvm::Value *ofUnknown(llvm::Value *Pointer, Field Which) = 0;

  llvm::Function &Kernel;
  RootTable &Roots;
  /// Where what is known of constant pointers is made: behind all that is known
  /// of arguments, before all else.
  llvm::Instruction *Start;

private:
  llvm::Value *make(llvm::Value *Pointer, Field Which);
  llvm::Value *ofPhi(llvm::PHINode &Phi, Field Which);

  std::map<std::pair<llvm::Value *, Field>, llvm::Value *> Known;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_POINTER_METADATA_H
