//===- compiler/pointers/provenance.h - bounds beside each pointer, in
// registers --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer's bounds are its byte offset from its root's start, the root's size
// and the root's number. No base address is needed, so bounds are the same for
// pointers of every address space, and pointers themselves stay as they are.
// A GEP gets an addition; the rest is compiler/pointers/pointer_metadata.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_PROVENANCE_H
#define WARPSAN_COMPILER_POINTERS_PROVENANCE_H

#include "compiler/pointers/hidden_args.h"
#include "compiler/pointers/lifetimes.h"
#include "compiler/pointers/pointer_metadata.h"

namespace warpsan {

struct Bounds {
  llvm::Value *Offset;    ///< i64, modulo 2^64
  llvm::Value *ReadSize;  ///< i64: bytes; plus Forbidden if not to be read
  llvm::Value *WriteSize; ///< i64: bytes; plus Forbidden if not to be written
  llvm::Value *Root;      ///< i32
  llvm::Value *Life;      ///< i32, see Lifetimes; null if nothing is counted
  /// i1: found by its address to be in a marked object; null: it is not known.
  llvm::Value *InObject = nullptr;

  /// The sign: as signed numbers, such sizes are less than any access needs.
  static constexpr uint64_t Forbidden = uint64_t(1) << 63;
};

class Provenance : private PointerMetadata {
public:
  /// \p Find: device/heap.cl's function; null if the twin has no heap.
  Provenance(Twin &Made, RootTable &Roots, const Lifetimes &Lives,
             llvm::Function *Find, const Target &T);

  /// Bounds of a pointer, usable wherever \p Pointer is. A size that is not
  /// asked for is null.
  Bounds boundsOf(llvm::Value *Pointer, bool Reads, bool Writes);

  /// i1: true if \p Pointer, whose bounds are \p B, is to a variable whose life
  /// has ended where \p Build is.
  llvm::Value *hasEnded(llvm::Value *Pointer, const Bounds &B,
                        llvm::IRBuilderBase &Build);

  /// i64: where the objects are of the buffer that \p Pointer, whose bounds are
  /// \p B, belongs to; null if it belongs to none that may have some.
  llvm::Value *objectsOf(llvm::Value *Pointer, const Bounds &B,
                         llvm::IRBuilderBase &Build);

  /// True for what boundsOf() gives as an argument's size: known from the
  /// kernel's start on.
  bool isSizeOfArgument(const llvm::Value *Size) const;

  /// Keeps the bounds of a pointer that is stored in private or local memory
  /// beside it. To be called for each store of a pointer.
  void keep(llvm::StoreInst &Store);

private:
  enum : Field { Offset, ReadSize, WriteSize, RootNumber, Life };

  llvm::Type *typeOf(Field Which) override;
  llvm::Value *atOnce(llvm::Value *Pointer, Field Which) override;
  llvm::Value *ofRoot(unsigned Index, Field Which) override;
  llvm::Value *ofMark(llvm::Instruction &Mark, llvm::Value *Variable,
                      Field Which) override;
  llvm::Value *ofAddress(llvm::GEPOperator &Address, Field Which) override;
  llvm::Value *ofInteger(llvm::Operator &Cast, Field Which) override;
  llvm::Value *ofKept(llvm::LoadInst &Load, Field Which) override;
  llvm::Value *ofUnknown(llvm::Value *Pointer, Field Which) override;
  static llvm::Value *fieldOf(const Bounds &B, Field Which);
  bool mayEnd(llvm::Value *Pointer);
  llvm::Value *lifeFound(unsigned Index, llvm::IRBuilderBase &Build);
  struct Hint;
  Bounds boundsByAddress(llvm::Value *Pointer, llvm::IRBuilderBase &Build,
                         const Hint *Kept = nullptr);
  Bounds orOfInteger(const Bounds &Found, llvm::Operator &Cast,
                     llvm::IRBuilderBase &Build);
  Bounds boundsInHeap(llvm::Value *Address, llvm::Value *LookAt, bool CanBe,
                      llvm::IRBuilderBase &Build);
  llvm::Value *wordAt(llvm::Value *Where, llvm::Value *Else,
                      llvm::IRBuilderBase &Build);
  llvm::Value *objectsOfArgument(unsigned Arg);
  llvm::Value *sizeTold(llvm::Value *Told, Field Which,
                        llvm::IRBuilderBase &Build);
  llvm::Value *ofArgument(unsigned Arg, Field Which);
  llvm::Value *sizeOfArgument(unsigned Arg, Field Which);
  llvm::Value *baseOf(const Root &R);
  llvm::Value *shadowOf(unsigned RootIndex);
  llvm::Value *shadowSlot(llvm::Value *Address, llvm::IRBuilderBase &Build,
                          llvm::Value *&Inside);

  Twin &Made;
  const Lifetimes &Lives;
  llvm::Function *Find;
  const Target &T;
  llvm::IntegerType *I32, *I64;
  std::map<std::pair<unsigned, Field>, llvm::Value *> ArgumentSizes;
  std::map<unsigned, llvm::Value *> ArgumentObjects;
  llvm::DenseMap<llvm::Value *, Bounds> FoundBounds; ///< kept, or by address
  llvm::DenseMap<unsigned, llvm::Value *> Shadows;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_PROVENANCE_H
