//===- compiler/claims/integers.h - integer types that proofs know --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_INTEGERS_H
#define WARPSAN_COMPILER_CLAIMS_INTEGERS_H

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Value.h"

namespace warpsan {

/// True if \p V is a scalar integer of at most 64 bits.
inline bool isInteger(const llvm::Value *V) {
  return V->getType()->isIntegerTy() &&
         V->getType()->getIntegerBitWidth() <= 64;
}

/// The width in bits of \p V, a scalar integer.
inline unsigned widthOf(const llvm::Value *V) {
  return V->getType()->getIntegerBitWidth();
}

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_INTEGERS_H
