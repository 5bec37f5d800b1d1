//===- compiler/divergence/compare_arguments.h - shared arguments ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All work-items of a work-group must call an asynchronous copy with the same
// arguments. Where they may differ, the first work-item writes its own to local
// memory before the call, and the others compare theirs:
//
//   if (item == 0) words = arguments
//   barrier
//   differs = arguments != words
//   barrier
//   if (differs) report
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_COMPARE_ARGUMENTS_H
#define WARPSAN_COMPILER_DIVERGENCE_COMPARE_ARGUMENTS_H

#include "compiler/checks/checked_twin.h"
#include "compiler/checks/report_call.h"
#include "compiler/claims/uniformity.h"

#include "llvm/IR/ValueHandle.h"

namespace warpsan {

struct DriverProfile;

/// Compares the shared arguments of one kernel's collective calls.
class ArgumentComparison {
public:
  /// Finds the arguments of Made.Kernel that may differ. Comes before checks
  /// are placed, which change arguments.
  ArgumentComparison(CheckedTwin &Made, const Target &T);

  /// Keeps the arguments in private memory, for calls may move. Comes before
  /// addConvergencePoints().
  void keep(const DriverProfile &Profile);
  /// Places the comparisons, and describes the calls in Made.Divergence. Comes
  /// after addConvergencePoints().
  void place(const DeviceRuntime &Runtime, const DriverProfile &Profile);

private:
  struct Argument {
    const char *Name;
    llvm::WeakTrackingVH Value;
    bool IsPointer = false;
    llvm::AllocaInst *Slot = nullptr; ///< i64
  };
  struct Call {
    /// Its result may be replaced: addConvergencePoints() does.
    llvm::WeakVH At;
    std::vector<Argument> Arguments;
  };
  void placeAt(llvm::CallInst &At, const Call &Which, llvm::Value *Item,
               llvm::GlobalVariable *Words, ReportCalls &Reports,
               bool Volatile);

  CheckedTwin &Made;
  const Target &T;
  std::vector<Call> Calls;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_COMPARE_ARGUMENTS_H
