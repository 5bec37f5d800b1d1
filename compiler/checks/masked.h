//===- compiler/checks/masked.h - vector accesses with a mask -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_MASKED_H
#define WARPSAN_COMPILER_CHECKS_MASKED_H

#include "llvm/IR/Function.h"

namespace warpsan {

/// True if \p F gathers, scatters, loads or stores by a mask.
bool hasMaskedAccesses(const llvm::Function &F);

/// Calculates each address that is taken out of a vector of addresses by
/// itself, so that it is known what it points into. To be called once masked
/// accesses were scalarized.
void splitAddresses(llvm::Function &F);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_MASKED_H
