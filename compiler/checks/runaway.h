//===- compiler/checks/runaway.h - work-items that would never end --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load that fails its check returns zero, so a loop that ends only on a value
// that it loads, as `while (a[i] != key) i++;`, may never end, where it would
// have crashed without WarpSan. A work-item counts the checks that it failed in
// such loops, and leaves its kernel at WS_MOST_FAILURES.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_RUNAWAY_H
#define WARPSAN_COMPILER_CHECKS_RUNAWAY_H

#include "compiler/checks/report_call.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace warpsan {

class Runaways {
public:
  /// Before \p Kernel has checks.
  Runaways(llvm::Function &Kernel, const Target &T);

  /// There is a loop that may end only on a value that it loads. The kernel may
  /// never end, so its failed checks must be reported at once.
  bool any() const { return !Blocks.empty(); }
  /// \p In is in such a loop.
  bool mayRunAway(const llvm::BasicBlock *In) const {
    return Blocks.contains(In);
  }

  /// Before \p Before, which is reached when a check in such a loop has failed
  /// with \p What: counts it, and lets the work-item report and leave once it
  /// has failed too many. Does nothing in kernels whose work-items meet, at
  /// barriers or in functions of their work-group: the others would wait for
  /// one that has left.
  void count(llvm::Instruction *Before, Failure What, ReportCalls &Calls);

private:
  llvm::Function &Kernel;
  bool MayLeave = false;
  llvm::DenseSet<const llvm::BasicBlock *> Blocks;
  llvm::AllocaInst *Failures = nullptr; ///< i32; null until it is needed
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_RUNAWAY_H
