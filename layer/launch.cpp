//===- layer/launch.cpp - native kernel or twin: the decision at each launch
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch.h"

#include "layer/build.h"
#include "layer/findings.h"
#include "layer/records.h"
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
    Of->Twin->noteTwinLaunch(*AsTwin);
  } else if (Proven) {
    Of->Twin->noteProvenLaunch(*Proven);
  } else if (Why.empty()) {
    Of->Twin->noteChosenNative();
  } else {
    Of->Twin->noteNativeLaunch(Why);
    if (Watched)
      tally(Counter::launches_watched);
  }
}

/// A kernel does not keep its arguments: what the application has released is
/// not there any more, even if this driver has not noticed.
static void reportReleasedArguments(const char *Call, const TwinPool &Pool,
                                    Kernel &K) {
  if (!Pool.Plan)
    return;
  for (const auto &[Index, Of] : K.Args.released())
    if (Index < Pool.Plan->Args.size() &&
        Pool.Plan->Args[Index] != KernelPlan::ArgKind::Other)
      reportReleased(Call, *Pool.Of, Index, Of);
}

/// Whether what is left to check in \p Lean is in bounds by what buffers
/// contain.
static bool provenByContents(TwinPool &Lean, Kernel &K, cl_command_queue Queue,
                             const NDRange &Range, ContentsUsed &Used) {
  return Lean.Plan->MayRunNativeByContents &&
         Used.look(K, *Lean.Plan, Queue,
                   [&](const std::string &Name) {
                     return Lean.makeKernel(Name);
                   }) &&
         Lean.Proofs.holdByContents(K.Args, Range, Used);
}

/// Tries the twin. If the driver did not take it, Why says why the native
/// kernel must do.
static void launchTwin(Kernel &K, cl_command_queue Queue, const NDRange &Range,
                       const EventArgs *GivenEvents,
                       const EnqueueKernel &Enqueue, Launch &Result) {
  const bool Recorded = !GivenEvents;
  const EventArgs Events = Recorded ? EventArgs() : *GivenEvents;
  auto Q = Queues.find(Queue);
  cl_device_id Device =
      Q ? Q->Device
        : queryValue<cl_device_id>(Next->clGetCommandQueueInfo, Queue,
                                   CL_QUEUE_DEVICE, nullptr);
  if (!Device) {
    Result.Why = "its queue has no device";
    return;
  }
  const KernelArgs::Pointers Pointers = K.Args.pointers();
  TwinPool *Pool = nullptr;
  auto Borrow = [&](Variant Which) -> std::unique_ptr<TwinInstance> {
    Pool = &K.Twin->pool(*K.From, Device, Which);
    if (Pool->Plan)
      return Pool->borrow(K, Pointers.ExecStamp, Device, Result.Why);
    Result.Why = Pool->Reason;
    return nullptr;
  };
  Variant Wanted = variantFor(Pointers.Any || Pointers.ExecStamp);
  if (Pointers.Released && Wanted != Variant::Plain)
    reportReleasedArguments(Range.Call, K.Twin->pool(*K.From, Device, Wanted),
                            K);
  if (Wanted == Variant::Lean) {
    TwinPool &Lean = K.Twin->pool(*K.From, Device, Wanted);
    const bool Holds = Lean.Plan && Lean.Proofs.hold(K.Args, Range);
    if ((Holds && Lean.Plan->MayRunNative) ||
        (Lean.Plan && !Recorded &&
         provenByContents(Lean, K, Queue, Range, Result.RestsOn))) {
      Result.Proven = &Lean;
      return;
    }
    if (Lean.Plan && !Holds)
      Wanted = Variant::Checked;
  }
  std::unique_ptr<TwinInstance> Instance = Borrow(Wanted);
  if (!Instance)
    return;
  Changes Changed;
  if (contentsAreFollowed())
    Changed.begin(K.Args, Pool->Plan, Recorded);
  // Before the driver has it: another thread may read its first record. A
  // plain twin writes none.
  const uint64_t Number = Pool->Which == Variant::Plain ? 0 : Instance->Number;
  if (Number)
    logLaunch(Number, Pool->Of, Instance->Memories, Range);
  cl_int Error = Enqueue(Instance->Handle, Events);
  Pool->giveBack(std::move(Instance));
  if (Error != CL_SUCCESS) {
    Result.Why =
        "the driver refused to launch the twin: error " + std::to_string(Error);
    return;
  }
  Result.AsTwin = Pool;
  Result.Number = Number;
}

/// The log remembers the last launches only. A driver that collects commands
/// until somebody flushes (rusticl) would run them when their launches are
/// forgotten, with no host call between to make room for their records.
static void keepPace(cl_command_queue Queue, uint64_t Number) {
  constexpr uint64_t Often = 256;
  if (!Number || Number % Often)
    return;
  Next->clFlush(Queue);
  reportRecords();
}

/// What has no twin is watched at least, where it can be.
static void launchNative(cl_command_queue Queue, cl_kernel Handle,
                         const NDRange &Range, const EventArgs *Events,
                         const EnqueueKernel &Enqueue, Launch &Result) {
  Changes Changed;
  if (contentsAreFollowed() && Result.Of)
    Changed.begin(Result.Of->Args,
                  Result.Proven ? Result.Proven->Plan : nullptr, !Events);
  else if (!Result.Of)
    everythingMayChange();
  if (!Result.Of || Result.Why.empty() || !Events) {
    Result.Error = Enqueue(Handle, Events ? *Events : EventArgs());
    if (!Result.RestsOn.stillTrue()) {
      Result.Proven = nullptr;
      Result.Why = "another thread changed what its index buffers contain while "
                   "it was launched";
    }
    return;
  }
  // Makes room, and lets the canaries be written anew.
  if (haveCanaries())
    reportRecords();
  Result.Error = launchWatched(
      *Result.Of, Queue, Range, Result.Why, *Events,
      [&](const EventArgs &Given) { return Enqueue(Handle, Given); },
      Result.Watched);
}

Launch warpsan::launch(cl_command_queue Queue, cl_kernel Handle,
                       const NDRange &Range, const EventArgs *Events,
                       const EnqueueKernel &Enqueue, const char *NoTwin) {
  Launch Result;
  Result.Of = Kernels.find(Handle);
  if (Result.Of && wantTwins()) {
    Result.Why = NoTwin;
    if (Result.Why.empty())
      launchTwin(*Result.Of, Queue, Range, Events, Enqueue, Result);
  }
  if (!Result.AsTwin)
    launchNative(Queue, Handle, Range, Events, Enqueue, Result);
  keepPace(Queue, Result.Number);
  if (haveManyRecords() || settings().halt_on_error)
    reportRecords();
  return Result;
}
