//===- layer/svm/svm_in_flight.h - launches that rely on their memory
// staying ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch that was proven does not look at its memory's size when it runs. So
// what it was proven with must stay until its command is complete; whoever
// frees shared virtual memory earlier gets a finding there and then.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_SVM_IN_FLIGHT_H
#define WARPSAN_LAYER_SVM_SVM_IN_FLIGHT_H

#include "layer/objects/driver.h"
#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"
#include "layer/twin/manifest.h"

#include <functional>
#include <memory>
#include <vector>

namespace warpsan {

/// The shared virtual memory that one launch relies on.
class SvmUse {
public:
  /// What \p Plan's claims are about. False if some of it may go at any time:
  /// then nothing can be proven of the launch.
  bool look(KernelArgs &Args, const KernelPlan &Plan);
  /// The launch relies on nothing.
  void cancel() { All.clear(); }
  /// Calls \p Enqueue with \p Theirs, or with an event of ours; if it succeeds,
  /// the memory is in use until that event is complete. \p Kernel may be null
  /// if nothing is relied on.
  cl_int enqueue(cl_command_queue Queue,
                 const std::shared_ptr<const LaunchedKernel> &Kernel,
                 const EventArgs &Theirs,
                 const std::function<cl_int(const EventArgs &)> &Enqueue) const;

private:
  struct One {
    std::shared_ptr<const Memory> Of;
    unsigned Arg;
  };
  std::vector<One> All;
};

/// Reports that \p Call frees \p Of if a launch that relies on it is not
/// complete. To be called when \p Of is released.
void reportIfInUse(const char *Call, const std::shared_ptr<const Memory> &Of);

/// What one command frees, while it is being enqueued.
class EnqueuedFree {
public:
  /// \p Pointer will be freed by a command of \p Queue: after everything that
  /// an in-order queue has been given, at any time in another one. To be called
  /// before the driver has the command, which may run within the call.
  void note(cl_command_queue Queue, const void *Pointer);
  /// The driver has refused the command.
  void takeBack();

private:
  struct One {
    std::shared_ptr<const Memory> Of;
    std::vector<MemoryUser> Users; ///< that were removed
  };
  std::vector<One> All;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_SVM_IN_FLIGHT_H
