//===- compiler/checks/pinned.h - accesses that optimizations must not
// remove -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access whose address is known to be outside of its object is undefined
// behavior, and optimizations remove it before its check exists: SROA drops
// accesses outside of an alloca, InstSimplify (in the inliner and in EarlyCSE)
// folds loads outside of a constant, SimplifyCFG deletes blocks that access
// through undef or that end in `unreachable`. Such an access is pinned: it is
// volatile, and its address is made from a call that nothing looks through:
//
//   %base = call ptr @warpsan.pinned.p0(ptr %t)
//   %p = getelementptr [4 x i32], ptr %base, i64 0, i64 4
//   store volatile i32 1, ptr %p, !warpsan.pinned !{}
//
// A load whose value nothing needs is kept by a use of it, an llvm.assume of
// true: drivers may perform it all the same (rusticl does).
//
// To be pinned before every pass that may remove accesses, since each pass can
// make more offsets constant; to be unpinned before instrumentation.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_PINNED_H
#define WARPSAN_COMPILER_CHECKS_PINNED_H

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace warpsan {

/// Sets the pointers among the variables of \p F to null where they come to
/// life: an access through an uninitialized pointer is one through null, not
/// through undef, which could be any pointer.
void initializePointers(llvm::Function &F);

/// Pins the accesses of \p F that miss their object, and those before an
/// `unreachable`, and keeps all loads. To be called any number of times.
void pinAccesses(llvm::Function &F);

/// Makes all accesses of \p F what they were. Returns how many were pinned.
unsigned unpinAccesses(llvm::Function &F);

/// Hides the initializers of constant variables from all passes as long as it
/// exists: an index may become constant and its load be folded in the same
/// step, so that there is no moment to pin the load.
class HiddenInitializers {
public:
  explicit HiddenInitializers(llvm::Module &Program);
  ~HiddenInitializers();
  HiddenInitializers(const HiddenInitializers &) = delete;
  HiddenInitializers &operator=(const HiddenInitializers &) = delete;

  /// Replaces loads of \p F at constant offsets in bounds of hidden constants
  /// by their values. Returns whether there were any.
  bool foldLoads(llvm::Function &F) const;

private:
  std::vector<llvm::GlobalVariable *> Hidden;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_PINNED_H
