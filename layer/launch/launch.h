//===- layer/launch.h - native kernel or twin: the decision at each launch ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_H
#define WARPSAN_LAYER_LAUNCH_H

#include "layer/canary.h"
#include "layer/choice.h"
#include "layer/contents.h"
#include "layer/launch_log.h"
#include "layer/objects.h"
#include "layer/svm_uses.h"

#include <functional>
#include <memory>
#include <string>

namespace warpsan {

class TwinPool;

/// What became of a launch.
struct Launch {
  cl_int Error = CL_SUCCESS;  ///< what the application gets
  std::shared_ptr<Kernel> Of; ///< null: a kernel that we did not see made
  /// The twin that was launched; alive while Of is. Null: the native kernel.
  TwinPool *AsTwin = nullptr;
  /// Launched natively, since everything that this one would check is proven.
  const TwinPool *Proven = nullptr;
  ContentsUsed RestsOn; ///< what Proven rests on
  SvmUse Uses;          ///< memory that must stay
  /// What was proven and is checked all the same; null: nothing.
  std::shared_ptr<const AuditedLaunch> Audited;
  std::string Why; ///< why not as a twin; empty if none was wanted
  Choice Chosen = Choice::Checked;
  uint64_t Number = 0;  ///< under which it is logged; 0: it is not
  uint64_t Running = 0; ///< its serial, layer/running.h; 0: none
  /// Where its records go; null if nobody has to read that by a command.
  std::shared_ptr<RecordBuffer> Records;
  bool Watched = false; ///< by canaries
  /// A barrier is not shown to be reached by whole work-groups.
  bool MayDiverge = false;
  bool Unseen = false; ///< made when the layer had stepped aside
  /// It must be as a twin, or not at all: Build::Copy.
  bool OnlyAsTwin = false;

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

#endif // WARPSAN_LAYER_LAUNCH_H
