//===- compiler/schemes/exact_bounds.h - WarpSan's own scheme -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is checked against the exact bounds of its pointer's object
// (compiler/pointers/provenance), unless each launch can decide that it is in
// bounds.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SCHEMES_EXACT_BOUNDS_H
#define WARPSAN_COMPILER_SCHEMES_EXACT_BOUNDS_H

#include "compiler/checks/scheme.h"
#include "compiler/claims/claims.h"
#include "compiler/pointers/lifetimes.h"
#include "compiler/pointers/provenance.h"

#include <map>

namespace warpsan {

class ExactBounds : public Scheme {
public:
  explicit ExactBounds(const KernelParts &Of)
      : Made(Of.Made), Kernel(*Made.Kernel), Roots(Of.Roots), T(Of.T),
        Lives(Kernel), Where(Made, Roots, Lives, Of.Runtime.Find, T),
        Left(Of, Where), Outside(Of.Runtime.Outside),
        I64(llvm::Type::getInt64Ty(Kernel.getContext())) {}

  void begin(const std::vector<Access> &Accesses) override {
    Left.begin(Accesses);
  }
  void stored(llvm::StoreInst &Store) override { Where.keep(Store); }
  void plan(const Access &A, unsigned Number,
            std::vector<Check> &Checks) override;
  void finish() override { Left.finish(); }
  Failure later(const Check &C, llvm::ArrayRef<llvm::Value *> Kept,
                llvm::IRBuilderBase &Build) override;

private:
  class AccessTests;

  void planRights(const Access &A, llvm::Value *Offset, Check &C);
  void planImage(const Access &A, unsigned Number, std::vector<Check> &Checks);
  llvm::Value *beyond(const Access &A, llvm::Value *Offset, llvm::Value *Size,
                      llvm::IRBuilderBase &Build, llvm::Value *&Bytes);
  llvm::Value *beyondRange(const Access &A, llvm::Value *Offset,
                           llvm::Value *Size, llvm::IRBuilderBase &Build,
                           llvm::Value *&Bytes);
  llvm::Value *addressOf(llvm::Value *Pointer, llvm::IRBuilderBase &Build);
  llvm::Value *limitOf(llvm::Value *Size, uint64_t Bytes,
                       llvm::IRBuilderBase &Build);

  llvm::Value *number(uint64_t N) { return llvm::ConstantInt::get(I64, N); }

  CheckedTwin &Made;
  llvm::Function &Kernel;
  RootTable &Roots;
  const Target &T;
  Lifetimes Lives;
  Provenance Where;
  LaunchClaims Left;
  llvm::Function *Outside; ///< device/heap.cl's function
  llvm::IntegerType *I64;
  std::map<std::pair<llvm::Value *, uint64_t>, llvm::Value *> Limits;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_SCHEMES_EXACT_BOUNDS_H
