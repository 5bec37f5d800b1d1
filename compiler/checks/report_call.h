//===- compiler/checks/report_call.h - calling the device's report
// function ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_REPORT_CALL_H
#define WARPSAN_COMPILER_CHECKS_REPORT_CALL_H

#include "compiler/pointers/hidden_args.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace warpsan {

/// The functions of device/ in a program.
struct DeviceRuntime {
  llvm::Function *Report = nullptr;  ///< report.cl
  llvm::Function *Find = nullptr;    ///< heap.cl
  llvm::Function *Outside = nullptr; ///< heap.cl
  llvm::Function *IsLive = nullptr;  ///< schemes.cl; null if not wanted
  llvm::Function *Trace = nullptr;   ///< likewise
  // races.cl; null if not wanted
  llvm::Function *Watch = nullptr, *WatchGlobal = nullptr, *ItemBits = nullptr,
                 *ClearShadow = nullptr;
};

/// \p Others: schemes.cl too; \p Races: races.cl too, for a device that has
/// atomics of 64 bits or not.
llvm::Expected<DeviceRuntime> linkRuntime(llvm::Module &Program, bool Others,
                                          bool Races, bool HasInt64Atomics);
/// Links the kernels of device/index_range.cl into \p Program.
llvm::Error linkIndexRange(llvm::Module &Program);

/// i64: the result of \p Query, one of the NDRange's.
llvm::Value *askWorkItem(WorkItemQuery Query, unsigned Dimension,
                         llvm::IRBuilderBase &Build, const Target &T);

/// What a check tells when it fails. Values are i64, Root i32. They follow when
/// a load among them is replaced: it too may be an access that is checked.
struct Failure {
  unsigned Check = 0; ///< abi/record.h
  /// i32, in place of Check; null: there is none.
  llvm::WeakTrackingVH AnyCheck = {};
  /// i1. If there is one and it is false, not WS_TEST_BOUNDS failed but
  /// WS_TEST_RIGHTS.
  llvm::WeakTrackingVH Outside;
  llvm::WeakTrackingVH Root, Offset, Size, Bytes, Address;
};

/// Makes the calls of one kernel.
class ReportCalls {
public:
  /// \p AskThere: what the work-item is called is asked for in a function of
  /// its own, not where the call is.
  ReportCalls(Twin &Made, llvm::Function &Report, bool AskThere,
              const Target &T);
  /// \p Once: a word of the work-item's, if it comes here but once.
  void call(llvm::IRBuilderBase &Build, const Failure &What,
            llvm::AllocaInst *Once = nullptr);

private:
  /// Tells, for a work-item, whether it failed a check before.
  struct Bit {
    llvm::AllocaInst *Word;
    uint32_t Mask;
  };
  /// The first of \p Count, which follow each other in one word.
  Bit nextBits(unsigned Count);
  void addWorkItem(llvm::SmallVectorImpl<llvm::Value *> &To,
                   llvm::IRBuilderBase &Build);
  /// A function of \p Arguments that calls Report with the work-item's too.
  llvm::Function &askingReport(llvm::ArrayRef<llvm::Value *> Arguments);

  llvm::Function &Kernel, &Report;
  bool AskThere;
  const Target &T;
  llvm::Value *Launch, *Records;
  std::vector<llvm::AllocaInst *> Seen;
  unsigned UsedBits = 0;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_REPORT_CALL_H
