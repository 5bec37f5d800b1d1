//===- compiler/late_reports.h - failed checks, told when a kernel ends ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call in a loop, even one that never happens, keeps drivers from vectorising
// it. Where few checks are left in a kernel, a work-item remembers of each
// whether it failed and at which offset first, and tells at its end.
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
  LateReports(llvm::Function &Kernel, ReportCalls &Calls)
      : Kernel(Kernel), Calls(Calls) {}

  /// Makes a Failure where a kernel ends, of the offset that was remembered.
  using Describe =
      std::function<Failure(llvm::IRBuilderBase &, llvm::Value *Offset)>;

  /// Remembers before \p At that a check failed if \p Bad, at \p Offset.
  /// Returns its number.
  size_t remember(llvm::Instruction *At, llvm::Value *Bad, llvm::Value *Offset,
                  Describe Tells);
  /// Another check fails whenever that one does.
  void also(size_t Number, Describe Tells) {
    All[Number].Tells.push_back(std::move(Tells));
  }

  /// Lets every end of the kernel tell.
  void finish();

  /// So many can be remembered.
  static constexpr unsigned Most = 8;

private:
  struct Check {
    llvm::AllocaInst *Offset;
    std::vector<Describe> Tells;
  };
  llvm::Function &Kernel;
  ReportCalls &Calls;
  llvm::AllocaInst *Failed = nullptr; ///< a bit for each of All
  std::vector<Check> All;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_LATE_REPORTS_H
