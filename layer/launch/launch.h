//===- layer/launch/launch.h - native kernel or twin: the decision at each
// launch -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_LAUNCH_H
#define WARPSAN_LAYER_LAUNCH_LAUNCH_H

#include "layer/canary/canary.h"
#include "layer/launch/index_ranges.h"
#include "layer/launch/launch_selection.h"
#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"
#include "layer/svm/svm_in_flight.h"

#include <functional>
#include <memory>
#include <string>

namespace warpsan {

class TwinPool;

/// How a launch was performed.
struct LaunchOutcome {
  enum class Kind : uint8_t {
    Native,      ///< unchecked; Reason: why, or empty if launch=native
    Twin,        ///< as the twin of Pool
    Proven,      ///< natively: all accesses that Pool checks are in bounds
    Excluded,    ///< natively: kernels= or skip_kernels= excludes its kernel
    SampledOut,  ///< natively: sample= checks other launches of its kernel
    PassThrough, ///< natively, in pass-through mode
  };

  bool isTwin() const { return Method == Kind::Twin; }
  bool isProven() const { return Method == Kind::Proven; }

  Kind Method = Kind::Native;
  TwinPool *Pool = nullptr; ///< alive while Launch::Of is
  std::string Reason = {};  ///< why there is no twin, so far
  bool CanaryGuarded = false;
};

struct Launch {
  cl_int Error = CL_SUCCESS;  ///< what the application gets
  std::shared_ptr<Kernel> Of; ///< null: a kernel that we did not see made
  LaunchOutcome Outcome;
  IndexRangesUsed RestsOn; ///< what the proof rests on
  SvmUse Uses;             ///< memory that must stay
  /// What was proven and is checked all the same; null: nothing.
  std::shared_ptr<const AuditedLaunch> Audited;
  uint64_t Number = 0;  ///< under which it is logged; 0: it is not
  uint64_t Running = 0; ///< its serial, layer/launch/running.h; 0: none
  /// Where its records go; null if nobody has to read that by a command.
  std::shared_ptr<RecordBuffer> Records;
  /// Why its twin does not watch all memory for data races; empty: it does, or
  /// is not to.
  std::string WhyRacesUnjudged;
  /// No two of its accesses race: it is not watched.
  bool IsRaceFree = false;
  /// A barrier is not shown to be reached by whole work-groups.
  bool MayDiverge = false;
  /// It must be as a twin, or not at all: Build::Copy.
  bool MustBeTwin = false;

  /// Counts it, if the driver accepted it.
  void count() const;
  /// To be called after the driver has it: what RestsOn may not be true any
  /// more.
  void noticeChanges();
};

/// Whether a launch is made, or recorded to be made later and often.
enum class LaunchKind : uint8_t {
  Enqueued,
  Recorded,
  Mutable, ///< recorded, and its arguments and range may change
};

/// Launches \p Handle or its twin on \p Queue. \p Enqueue calls the driver
/// with the kernel, the local size and the events it is given and returns the
/// driver's answer. A twin that the driver refuses is followed by the native
/// kernel: what would have worked without us works with us. \p Events: the
/// application's; null if \p Kind is not Enqueued: then it has none.
using EnqueueKernel =
    std::function<cl_int(cl_kernel, const size_t *Local, const EventArgs &)>;
Launch launch(cl_command_queue Queue, cl_kernel Handle, const NDRange &Range,
              const EventArgs *Events, const EnqueueKernel &Enqueue,
              LaunchKind Kind = LaunchKind::Enqueued);

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_LAUNCH_H
