//===- compiler/uniformity.h - is a barrier reached by whole work-groups? -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier, a collective function or an asynchronous copy must be reached by
// all work-items of a work-group or by none, and equally often. Where it is
// not, drivers execute what the source does not say: a proof that relies on the
// source's conditions is void.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_UNIFORMITY_H
#define WARPSAN_COMPILER_UNIFORMITY_H

#include "compiler/target.h"

#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace warpsan {

/// A terminator with several successors that may not be the same for all
/// work-items of a work-group.
struct DivergentBranch {
  llvm::Instruction *At = nullptr;
  /// A call that the whole work-group must reach, and that \c At decides on.
  const llvm::CallBase *Collective = nullptr;
};

/// True if all work-items of a work-group, or of a sub-group, must execute
/// \p Call together.
bool isCollective(const llvm::CallBase &Call, const Target &T);

/// The divergent branches of \p Kernel that decide whether, or how often, a
/// collective call is reached. If there are none, all work-items of a
/// work-group reach the same collective calls. All calls in \p Kernel are
/// builtins. In the order of its blocks.
std::vector<DivergentBranch> divergentBranches(llvm::Function &Kernel,
                                               const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_UNIFORMITY_H
