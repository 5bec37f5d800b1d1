//===- compiler/checks/deferred_reports.h - reports at kernel exit --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call, even one that never happens, prevents drivers from vectorizing loops
// or across work-items. Where that is worth it, a work-item remembers of each
// check whether it failed and where first, and reports at kernel exit.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_DEFERRED_REPORTS_H
#define WARPSAN_COMPILER_CHECKS_DEFERRED_REPORTS_H

#include "compiler/checks/report_call.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <vector>

namespace warpsan {

class DeferredReports {
public:
  /// \p Apart: the reports are in a function of their own, which the kernel
  /// calls once.
  DeferredReports(llvm::Function &Kernel, ReportCalls &Calls, bool Apart)
      : Kernel(Kernel), Calls(Calls), Apart(Apart) {}

  /// Makes a Failure where a kernel ends, of the numbers that were kept.
  using Describe = std::function<Failure(llvm::IRBuilderBase &,
                                         llvm::ArrayRef<llvm::Value *> Kept)>;

  /// Remembers before \p At that a check failed if \p Bad, and \p Numbers, of
  /// which the first is an offset or something like it. Returns the check's
  /// index.
  size_t remember(llvm::Instruction *At, llvm::Value *Bad,
                  llvm::ArrayRef<llvm::Value *> Numbers, Describe Tells);
  /// Another check fails whenever that one does.
  void also(size_t Index, Describe Tells) {
    All[Index].Tells.push_back(std::move(Tells));
  }

  /// Emits the deferred reports at kernel exit.
  void finish();

  /// Maximum checks of a kernel that can be deferred.
  static constexpr unsigned MaxChecks = 32;

private:
  struct Check {
    llvm::SmallVector<llvm::AllocaInst *, 2> Places;
    std::vector<Describe> Tells;
  };
  /// The state of one of All at kernel exit.
  struct Remembered {
    llvm::Value *Failed;
    llvm::SmallVector<llvm::Value *, 2> Kept;
  };
  void report(llvm::Instruction *Where, llvm::ArrayRef<Remembered> Each,
              llvm::AllocaInst *Once);

  llvm::Function &Kernel;
  ReportCalls &Calls;
  bool Apart;
  std::vector<Check> All;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_DEFERRED_REPORTS_H
