//===- compiler/checks/dependences.h - accesses that loaded values decide -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read that fails its check returns zero. If that value decides where another
// access is, how much it touches or whether it is performed at all, an error of
// that access may only follow from the failed read.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_DEPENDENCES_H
#define WARPSAN_COMPILER_CHECKS_DEPENDENCES_H

#include "compiler/checks/accesses.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace warpsan {

/// For each of \p Accesses, which are all accesses of \p Kernel before it has
/// checks: those that it depends on, by number, ascending. These are reads
/// whose values reach its address, its count or a branch that controls it,
/// through registers, conditions and variables of the work-item; not through
/// other memory. Only the nearest reads: what those depend on is listed with
/// them. Never the access itself, and at most 32.
///
/// Takes time that is bounded, however large the kernel is: in kernels that
/// would take more, no access depends on any other.
std::vector<std::vector<unsigned>> dependences(llvm::Function &Kernel,
                                               llvm::ArrayRef<Access> Accesses);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_DEPENDENCES_H
