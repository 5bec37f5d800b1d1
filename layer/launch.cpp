//===- layer/launch.cpp - native kernel or twin: the decision at each launch
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch.h"

#include "layer/build.h"
#include "layer/settings.h"
#include "layer/tally.h"
#include "layer/twin_kernel.h"

using namespace warpsan;

void Launch::count() const {
  if (Error != CL_SUCCESS)
    return;
  if (!Of) {
    static Gap *const Entry =
        noteGap("kernel of unknown origin",
                "it was created outside of WarpSan's sight");
    tally(Counter::launches);
    Entry->Launches.fetch_add(1, std::memory_order_relaxed);
  } else if (AsTwin) {
    Of->Twin->noteTwinLaunch();
  } else if (Why.empty()) {
    Of->Twin->noteChosenNative();
  } else {
    Of->Twin->noteNativeLaunch(Why);
  }
}

/// Tries the twin. Returns true if the driver took it; otherwise \p Why says
/// why the native kernel must do.
static bool launchTwin(Kernel &K, cl_command_queue Queue,
                       const std::function<cl_int(cl_kernel)> &Enqueue,
                       std::string &Why) {
  auto Q = Queues.find(Queue);
  cl_device_id Device =
      Q ? Q->Device
        : queryValue<cl_device_id>(Next->clGetCommandQueueInfo, Queue,
                                   CL_QUEUE_DEVICE, nullptr);
  if (!Device) {
    Why = "its queue has no device";
    return false;
  }
  TwinPool &Pool = K.Twin->pool(*K.From, Device, "plain");
  if (!Pool.Plan) {
    Why = Pool.Reason;
    return false;
  }
  std::unique_ptr<TwinInstance> Instance = Pool.borrow(K, Device, Why);
  if (!Instance)
    return false;
  cl_int Error = Enqueue(Instance->Handle);
  Pool.giveBack(std::move(Instance));
  if (Error == CL_SUCCESS)
    return true;
  Why = "the driver refused to launch the twin: error " + std::to_string(Error);
  return false;
}

Launch warpsan::launch(cl_command_queue Queue, cl_kernel Handle,
                       const std::function<cl_int(cl_kernel)> &Enqueue,
                       const char *NoTwin) {
  Launch Result;
  Result.Of = Kernels.find(Handle);
  if (Result.Of && wantTwins()) {
    Result.Why = NoTwin;
    if (Result.Why.empty())
      Result.AsTwin = launchTwin(*Result.Of, Queue, Enqueue, Result.Why);
  }
  if (!Result.AsTwin)
    Result.Error = Enqueue(Handle);
  return Result;
}
