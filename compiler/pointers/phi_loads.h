//===- compiler/pointers/phi_loads.h - loads through phis -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_PHI_LOADS_H
#define WARPSAN_COMPILER_POINTERS_PHI_LOADS_H

#include "llvm/IR/Function.h"

namespace warpsan {

/// Replaces loads through a phi of addresses, one of which is a variable's, by
/// loads in the blocks that the phi comes from. SROA does the same, but its
/// loads have the debug location of those blocks' branches: a failed check
/// would be reported at the line that chose the pointer.
void splitPhiLoads(llvm::Function &F);

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_PHI_LOADS_H
