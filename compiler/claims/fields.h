//===- compiler/fields.h - which integers of its memory a load reads ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FIELDS_H
#define WARPSAN_COMPILER_FIELDS_H

#include "compiler/target.h"
#include "proof/expression.h"

#include "llvm/IR/Argument.h"

namespace warpsan {

/// The integers among which is the one that an aligned load of \p Width bits
/// from \p Pointer, in \p Arg's memory, reads: whenever its checks pass or its
/// claims hold, those of member arrays (compiler/members.h) among them.
Content fieldOf(llvm::Value *Pointer, const llvm::Argument &Arg, unsigned Width,
                const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FIELDS_H
