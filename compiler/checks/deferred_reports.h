//===- compiler/late_reports.h - failed checks, told when a kernel ends ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call, even one that never happens, keeps drivers from making vectors of
// loops and of work-items. Where that is worth it, a work-item remembers of
// each check whether it failed and where first, and tells at its end.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_LATE_REPORTS_H
#define WARPSAN_COMPILER_LATE_REPORTS_H

#include "compiler/report_call.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <vector>

namespace warpsan {

class LateReports {
public:
  /// \p Apart: what tells is in a function of its own, and all the kernel has
  /// is one call of it.
  LateReports(llvm::Function &Kernel, ReportCalls &Calls, bool Apart)
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

  /// Lets the kernel's end tell.
  void finish();

  /// So many can be remembered.
  static constexpr unsigned Most = 32;

private:
  struct Check {
    llvm::SmallVector<llvm::AllocaInst *, 2> Places;
    std::vector<Describe> Tells;
  };
  /// Of one of All, at the end.
  struct Remembered {
    llvm::Value *Failed;
    llvm::SmallVector<llvm::Value *, 2> Kept;
  };
  void tell(llvm::Instruction *Where, llvm::ArrayRef<Remembered> Each,
            llvm::AllocaInst *Once);

  llvm::Function &Kernel;
  ReportCalls &Calls;
  bool Apart;
  std::vector<Check> All;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_LATE_REPORTS_H
