//===- compiler/claims/uniformity.h - is a barrier reached by whole
// work-groups? -----------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All work-items of a work-group, or none, must reach a barrier, collective
// function or asynchronous copy, and equally often. Otherwise drivers may
// execute code that the source does not describe. A proof that relies on the
// source's conditions is then invalid.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_UNIFORMITY_H
#define WARPSAN_COMPILER_CLAIMS_UNIFORMITY_H

#include "compiler/ir/collectives.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace warpsan {

/// A terminator with several successors that may diverge in a work-group.
struct DivergentBranch {
  llvm::Instruction *At = nullptr;
  /// A collective call of which \c At decides whether it is reached; one of
  /// the whole work-group if there is such a call.
  const llvm::CallBase *Collective = nullptr;
  /// The branches in the source that \c At stands for: itself; or, if clang has
  /// made it where a scope is left early, those that chose the path.
  llvm::SmallVector<llvm::Instruction *, 2> Deciders;
};

/// If there are collective calls, gives every loop of \p Kernel one latch, and
/// removes paths that are undefined behavior. With several latches, uniformity
/// analysis takes each value that the loop carries for divergent if the path to
/// a latch is.
void simplifyForCollectives(llvm::Function &Kernel, const Target &T);

/// The divergent branches of \p Kernel that decide whether, or how often, a
/// collective call is reached, in block order. If there are none, all
/// work-items of a work-group reach the same collective calls. All calls in
/// \p Kernel must be builtins.
std::vector<DivergentBranch> divergentBranches(llvm::Function &Kernel,
                                               const Target &T);

/// A collective call of the work-group, and those of its shared arguments that
/// may differ.
struct DivergentArguments {
  llvm::CallInst *Call = nullptr;
  llvm::SmallVector<SharedArgument, 4> Which;
};

/// The calls of \p Kernel with such arguments, in block order. Events are not
/// considered.
std::vector<DivergentArguments> divergentArguments(llvm::Function &Kernel,
                                                   const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_UNIFORMITY_H
