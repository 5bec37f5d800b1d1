//===- compiler/claims/fields.h - which integers of its memory a load
// reads ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_FIELDS_H
#define WARPSAN_COMPILER_CLAIMS_FIELDS_H

#include "compiler/target/target.h"
#include "proof/expression.h"

#include "llvm/IR/Argument.h"

namespace warpsan {

/// The integers that an aligned load of \p Width bits from \p Pointer, in
/// \p Arg's memory, may read. Assumes that its checks pass or its claims hold,
/// including those of member arrays (compiler/pointers/member_arrays.h).
Content fieldOf(llvm::Value *Pointer, const llvm::Argument &Arg, unsigned Width,
                const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_FIELDS_H
