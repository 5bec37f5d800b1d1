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

#include "compiler/target/target.h"

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
  /// made it where a scope is left early, those that chose the way.
  llvm::SmallVector<llvm::Instruction *, 2> Deciders;
};

/// Which work-items must execute a call together.
enum class CollectiveScope : uint8_t {
  None, ///< each work-item for itself
  SubGroup,
  WorkGroup,
};
CollectiveScope scopeOf(const llvm::CallBase &Call, const Target &T);

/// True if scopeOf() is not None.
bool isCollective(const llvm::CallBase &Call, const Target &T);

/// If there are collective calls, gives every loop of \p Kernel one latch, and
/// removes ways that are undefined behavior. With several latches, uniformity
/// analysis takes each value that the loop carries for divergent if the way to
/// a latch is.
void simplifyForCollectives(llvm::Function &Kernel, const Target &T);

/// The divergent branches of \p Kernel that decide whether, or how often, a
/// collective call is reached, in block order. If there are none, all
/// work-items of a work-group reach the same collective calls. All calls in
/// \p Kernel must be builtins.
std::vector<DivergentBranch> divergentBranches(llvm::Function &Kernel,
                                               const Target &T);

/// An argument of a collective call that must be the same for all work-items of
/// a work-group.
struct SharedArgument {
  unsigned Index = 0;
  const char *Name = ""; ///< "destination"
};

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
