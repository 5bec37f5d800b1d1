//===- layer/launch/launch.cpp - native kernel or twin: the decision at each
// launch -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/launch.h"

#include "layer/findings/findings.h"
#include "layer/findings/watcher.h"
#include "layer/launch/choose_twin.h"
#include "layer/launch/race_shadow.h"
#include "layer/launch/running.h"
#include "layer/launch/setters.h"
#include "layer/launch/twin_kernel.h"
#include "layer/launch/unjudged_races.h"
#include "layer/objects/extension_functions.h"
#include "layer/process/counters.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/records/record_buffer.h"
#include "layer/records/records.h"
#include "layer/schemes/schemes.h"
#include "layer/svm/marked_objects.h"
#include "layer/twin/build.h"

#include <algorithm>
#include <vector>

using namespace warpsan;

void Launch::count() const {
  if (Error != CL_SUCCESS)
    return;
  if (Outcome.Method == LaunchOutcome::Kind::PassThrough) {
    static Gap *const Entry = noteGap("every kernel", NoMemory);
    addCount(Counter::launches);
    Entry->Launches.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!Of) {
    static Gap *const Entry =
        noteGap("kernel of unknown origin",
                "it was created outside of WarpSan's sight");
    addCount(Counter::launches);
    Entry->Launches.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (Of->Twin->isOfRuntime()) {
    addCount(Counter::launches_runtime);
    return;
  }
  if (IsRaceFree)
    addCount(Counter::launches_race_free);
  switch (Outcome.Method) {
  case LaunchOutcome::Kind::Excluded:
    return Of->Twin->Selection->noteExcluded();
  case LaunchOutcome::Kind::SampledOut:
    return LaunchSelection::noteSampledOut();
  case LaunchOutcome::Kind::Twin:
    Of->Twin->noteTwinLaunch(*Outcome.Pool);
    if (!WhyRacesUnjudged.empty())
      Of->Twin->noteRacesUnjudged(WhyRacesUnjudged);
    if (MayDiverge) {
      addCount(Counter::launches_divergent);
      if (!Outcome.Pool->Plan->WhyBarriersUnchecked.empty())
        addCount(Counter::launches_barriers_unchecked);
    }
    return;
  case LaunchOutcome::Kind::Proven:
    Of->Twin->noteProvenLaunch(*Outcome.Pool);
    if (!WhyRacesUnjudged.empty())
      Of->Twin->noteRacesUnjudged(WhyRacesUnjudged);
    return;
  case LaunchOutcome::Kind::Native:
    if (Outcome.Reason.empty())
      return Of->Twin->noteChosenNative();
    Of->Twin->noteNativeLaunch(Outcome.Reason);
    if (Outcome.CanaryGuarded)
      addCount(Counter::launches_canary_guarded);
    return;
  case LaunchOutcome::Kind::PassThrough:
    return; // counted above
  }
}

void Launch::noticeChanges() {
  if (RestsOn.stillTrue())
    return;
  Outcome = {.Reason = "another thread changed what its index buffers contain "
                       "while it was launched"};
}

/// A kernel does not keep its arguments: what the application has released is
/// not there any more, even if this driver has not noticed.
static void reportReleasedArguments(const char *Call, const TwinPool &Pool,
                                    Kernel &K) {
  if (!Pool.Plan)
    return;
  for (const auto &[Index, Of] : K.Args.released())
    if (Index < Pool.Plan->Args.size() &&
        KernelPlan::hasMemory(Pool.Plan->Args[Index]))
      reportArgument(FindingKind::use_after_release, Call, *Pool.Of, Index, Of);
}

/// Whether a buffer among them has marked objects: nothing of what a launch
/// proves by the buffer's size would be worth anything.
static bool hasObjects(KernelArgs &Args) {
  bool Found = false;
  Args.look([&](size_t, const KernelArg &Arg) {
    Found |= Arg.Of && objectsOf(*Arg.Of);
  });
  return Found;
}

/// Why a kernel that is not trusted may not run as this twin; empty if it may.
static std::string whyNotSafe(const TwinPool &Pool) {
  if (Pool.Plan->Setter)
    return "it only sets variables of its program, which is done natively too";
  if (Pool.Plan->Untraced)
    return "it has accesses that cannot be checked";
  if (Pool.Unfollowed)
    return "its device does not follow pointers of the host's, so pointers in "
           "memory cannot be checked";
  return {};
}

/// The local size that the driver chooses for \p Native where the application
/// leaves it open: what it tells the application of that must be true of the
/// twin. Empty if it does not tell.
static std::vector<size_t> suggestedLocal(cl_command_queue Queue,
                                          cl_kernel Native, const Context &Ctx,
                                          const NDRange &Range) {
  auto *Suggest =
      extensionsOf(Ctx.Platform).clGetKernelSuggestedLocalWorkSizeKHR;
  if (!Suggest || !Range.Global || !Range.Dimensions || Range.Dimensions > 3)
    return {};
  std::vector<size_t> Local(Range.Dimensions, 0);
  if (Suggest(Queue, Native, Range.Dimensions, Range.Offset, Range.Global,
              Local.data()) != CL_SUCCESS ||
      std::ranges::find(Local, 0U) != Local.end())
    return {};
  return Local;
}

/// Which twin a launch with \p Pointers wants, before anything is proven. \p
/// Races: one that looks for data races, if the options want that.
static Variant variantWanted(Kernel &K, const Build &From,
                             const KernelArgs::Pointers &Pointers,
                             LaunchKind Kind, bool Races) {
  Variant Wanted = variantFor(Pointers.Any || Pointers.ExecStamp);
  if (!Wanted.Checks)
    return Wanted;
  if (Wanted.Races && !Races)
    Wanted.Races = Wanted.Lean = false;
  // All launches must be of one twin.
  if (From.isPinned())
    return CheckedSvm;
  if (buffersHaveObjects() && hasObjects(K.Args))
    return {.Checks = true, .Svm = true, .Objects = true};
  // Nothing is known of the arguments that it will have.
  return Kind == LaunchKind::Mutable ? CheckedSvm : Wanted;
}

/// Why the driver refused to launch the twin.
static std::string whyRefused(cl_int Error, cl_kernel Twin,
                              cl_device_id Device) {
  size_t MaxItems = 0;
  if (Error == CL_INVALID_WORK_GROUP_SIZE &&
      Next->clGetKernelWorkGroupInfo(Twin, Device, CL_KERNEL_WORK_GROUP_SIZE,
                                     sizeof(MaxItems), &MaxItems,
                                     nullptr) == CL_SUCCESS)
    return "the work-group is too large for the twin, which takes at most " +
           std::to_string(MaxItems) + " work-items";
  return "the driver refused to launch the twin: error " +
         std::to_string(Error);
}

static bool hasManyItems(const NDRange &Range) {
  // The driver refuses other dimensions.
  return Range.Global && Range.Dimensions <= 3 &&
         std::any_of(Range.Global, Range.Global + Range.Dimensions,
                     [](size_t Items) { return Items > 1; });
}

/// Tries the twin, with \p Races as variantWanted(). If the driver did not take
/// it, the outcome's Reason says why the native kernel must do.
static void launchTwin(Kernel &K, cl_command_queue Queue, cl_kernel Native,
                       const NDRange &Range, const EventArgs *GivenEvents,
                       const EnqueueKernel &Enqueue, LaunchKind Kind,
                       bool Races, Launch &Result) {
  const bool Recorded = Kind != LaunchKind::Enqueued;
  const EventArgs Events = Recorded ? EventArgs() : *GivenEvents;
  cl_device_id Device = deviceOf(Queue);
  if (!Device) {
    Result.Outcome.Reason = "its queue has no device";
    return;
  }
  const KernelArgs::Pointers Pointers = K.Args.pointers();
  // Another kernel's value may be left in the twin: the driver's own refuses.
  if (Pointers.Unset) {
    Result.Outcome.Reason = "an argument is not set";
    return;
  }
  Build &From = K.From->on(Device);
  const Variant Wanted = variantWanted(K, From, Pointers, Kind, Races);
  if (Wanted.Races)
    Result.Outcome.Reason = whyNotWatched(Range, deviceOf(Device));
  if (!Result.Outcome.Reason.empty())
    return;
  TwinPool *Pool = &K.Twin->pool(*K.From, Device, Wanted);
  if (Pointers.Released && Wanted.Checks)
    reportReleasedArguments(Range.Call, *Pool, K);
  if (Pool->Plan && settings().untrusted_kernels)
    Result.Outcome.Reason = whyNotSafe(*Pool);
  if (!Result.Outcome.Reason.empty())
    return;
  if (Pool->Plan && Pool->Plan->Setter) {
    Result.Outcome = {LaunchOutcome::Kind::Proven, Pool};
    if (Wanted.Races && hasManyItems(Range))
      Result.WhyRacesUnjudged = "it only sets variables of its program, for "
                                "which no races are looked for";
    return;
  }
  if (Wanted.Lean && Pool->Plan) {
    TwinPool *Chosen =
        chooseTwin(K, Queue, Device, Range, Recorded, *Pool, Result);
    if (!Chosen) {
      Result.Outcome = {LaunchOutcome::Kind::Proven, Pool};
      return;
    }
    Pool = Chosen;
  }
  if (!Pool->Plan) {
    Result.Outcome.Reason = Pool->Reason;
    return;
  }
  if (From.Sets->areIncomplete())
    Result.Outcome.Reason =
        "the driver did not set the variables of the twin's program";
  // What is recorded is launched more than once with the same arguments.
  const auto Shadow =
      Pool->Plan->WatchesGlobalMemory && !Recorded ? shadowOf(Queue) : nullptr;
  std::unique_ptr<TwinInstance> Instance;
  if (Result.Outcome.Reason.empty())
    Instance = Pool->borrow(K, Pointers.ExecStamp, Device, Range, Shadow.get(),
                            Result.Outcome.Reason);
  if (Instance && Pool->Plan->WatchesRaces &&
      !Pool->fitsLocalMemory(*Instance, Device)) {
    Pool->giveBack(std::move(Instance));
    Result.Outcome.Reason = "shadows take more local memory than there is";
    return;
  }
  if (Pool->changesVariables() || From.isPinned()) {
    const Build::Copy Of =
        From.decideCopy(Instance ? Build::Copy::Twin : Build::Copy::Native);
    Result.MustBeTwin = Of == Build::Copy::Twin;
    if (Of == Build::Copy::Native && Instance) {
      Pool->giveBack(std::move(Instance));
      Result.Outcome.Reason =
          From.isPinned()
              ? "the application has the address of one of the native "
                "program's variables"
              : "the program changes its variables, and an earlier "
                "launch could not be a twin";
      return;
    }
  }
  if (!Instance)
    return;
  if (watchesRaces() && !Result.IsRaceFree && Result.WhyRacesUnjudged.empty())
    Result.WhyRacesUnjudged = whyRacesUnjudged(*Pool, *Instance);
  Changes Changed;
  if (Recorded || contentsAreFollowed())
    Changed.begin(K.Args, Pool->Plan, Recorded);
  // Before the driver has it: another thread may read its first record. A
  // plain twin writes none.
  const uint64_t Number = Pool->Which.Checks ? Instance->Number : 0;
  if (Number)
    logLaunch(Number, Pool->Of, Instance->Memories, Range, Result.Audited);
  noteNumber(Result.Running, Number);
  if (Number && Instance->RecordsStay)
    watchLaunches();
  std::shared_ptr<RecordBuffer> Records;
  Records.swap(Instance->Records);
  if (Records && Records->isHostVisible())
    Records.reset();
  // A mutable command's local size can be asked for.
  const std::vector<size_t> Suggested =
      Range.Local || Kind == LaunchKind::Mutable
          ? std::vector<size_t>()
          : suggestedLocal(Queue, Native, *K.Ctx, Range);
  auto EnqueueWith = [&](const size_t *Local) {
    auto EnqueueTwin = [&](const EventArgs &Given) {
      const cl_int Error = Enqueue(Instance->Handle, Local, Given);
      // At once: whatever fails from here on, it is not to be launched again.
      if (Error == CL_SUCCESS) {
        Result.Outcome = {LaunchOutcome::Kind::Twin, Pool};
        Result.Number = Number;
        Result.Records = Records;
        Result.Error = CL_SUCCESS; // of a second try
      }
      return Error;
    };
    return Result.Uses.enqueue(
        Queue, Pool->Of, Events, [&](const EventArgs &Given) {
          return Records && !Recorded
                     ? Records->launch(Queue, Number, Given, EnqueueTwin)
                     : EnqueueTwin(Given);
        });
  };
  cl_int Error =
      EnqueueWith(Suggested.empty() ? Range.Local : Suggested.data());
  // The twin may need more of something than the native kernel.
  if (Error != CL_SUCCESS && !Suggested.empty())
    Error = EnqueueWith(Range.Local);
  if (Error != CL_SUCCESS)
    Result.Outcome.Reason = whyRefused(Error, Instance->Handle, Device);
  Pool->giveBack(std::move(Instance));
  if (Error != CL_SUCCESS)
    Result.Error = Error; // of the native kernel, if that is tried
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
                         const EnqueueKernel &Enqueue, LaunchKind Kind,
                         Launch &Result) {
  Changes Changed;
  if ((!Events || contentsAreFollowed()) && Result.Of)
    Changed.begin(Result.Of->Args,
                  Result.Outcome.isProven() ? Result.Outcome.Pool->Plan
                                            : nullptr,
                  !Events);
  else if (!Result.Of)
    everythingMayChange();
  if (Result.Outcome.isProven() && Result.Outcome.Pool->Plan->Setter) {
    cl_device_id Device = deviceOf(Queue);
    // What it will set is not known, nor is it set for copies.
    if (Kind == LaunchKind::Mutable)
      Result.Of->From->on(Device).Sets->giveUp();
    Result.Error = Result.Of->From->on(Device).Sets->launch(
        *Result.Of, Handle, Device, Range, Events, Enqueue);
    return;
  }
  if (!Result.Of || Result.Outcome.Reason.empty() || !Events) {
    auto Native = [&](const EventArgs &Given) {
      return Enqueue(Handle, Range.Local, Given);
    };
    const EventArgs Theirs = Events ? *Events : EventArgs();
    Result.Error = Result.Outcome.isProven()
                       ? Result.Uses.enqueue(Queue, Result.Outcome.Pool->Of,
                                             Theirs, Native)
                       : Native(Theirs);
    return;
  }
  // Makes room, and lets the canaries be written anew.
  if (haveCanaries())
    noteIfPossible([] { reportRecords(); });
  Result.Error = launchWatched(
      *Result.Of, Queue, Range, Result.Outcome.Reason, *Events,
      [&](const EventArgs &Given) {
        return Enqueue(Handle, Range.Local, Given);
      },
      Result.Outcome.CanaryGuarded);
}

/// Counts a refused launch at the gap that \p Find returns. If there is no
/// memory even for that, the launch is still refused.
static void noteRefusedAt(Gap *(*Find)()) {
  try {
    Find()->Launches.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::bad_alloc &) {
    return;
  }
}

/// Lists a launch in the summary that pass-through mode refused.
static void noteRefusedInPassThrough() {
  noteRefusedAt([] {
    static Gap *const Entry =
        noteGap("every kernel", "refused: " + std::string(NoMemory));
    return Entry;
  });
}

/// In pass-through mode: launches the native kernel. Fails if its variables are
/// the twin's, and with untrusted_kernels.
static Launch launchPassThrough(cl_command_queue Queue, cl_kernel Handle,
                                const NDRange &Range, const EventArgs *Events,
                                const EnqueueKernel &Enqueue) {
  Launch Result;
  Result.Outcome.Method = LaunchOutcome::Kind::PassThrough;
  if (settings().untrusted_kernels) {
    Result.Error = CL_INVALID_PROGRAM_EXECUTABLE;
    noteRefusedInPassThrough();
    return Result;
  }
  // Its variables are the twin's: rather no result than a wrong one.
  auto K = Kernels.find(Handle);
  Result.Error =
      K && K->From->on(deviceOf(Queue)).countsTwinsCopy()
          ? CL_OUT_OF_HOST_MEMORY
          : Enqueue(Handle, Range.Local, Events ? *Events : EventArgs());
  return Result;
}

/// Nothing is launched. The driver's error stands if it gave one.
static void refuse(Launch &Result) {
  if (Result.Error != CL_SUCCESS)
    return;
  Result.Error = CL_INVALID_PROGRAM_EXECUTABLE;
  if (Result.Of)
    Result.Of->Twin->noteRefusedLaunch(Result.Outcome.Reason);
  else
    noteRefusedAt([] {
      static Gap *const Entry =
          noteGap("kernel of unknown origin",
                  "refused: it was created outside of WarpSan's sight");
      return Entry;
    });
}

static Launch launchNow(cl_command_queue Queue, cl_kernel Handle,
                        const NDRange &Range, const EventArgs *Events,
                        const EnqueueKernel &Enqueue, LaunchKind Kind,
                        Launch Result) {
  auto TryTwin = [&] {
    noteIfPossible([&] {
      auto Try = [&](bool Races) {
        Result.Outcome.Reason.clear();
        launchTwin(*Result.Of, Queue, Handle, Range, Events, Enqueue, Kind,
                   Races, Result);
      };
      Try(true);
      // The device may have less local memory than shadows take.
      if (watchesRaces() && !Result.Outcome.Reason.empty()) {
        Result.WhyRacesUnjudged = Result.Outcome.Reason;
        Try(false);
      }
    });
  };
  if (Result.Of && wantTwins()) {
    switch (Result.Of->Twin->Selection->next(*Result.Of->From, Queue)) {
    case LaunchDecision::Excluded:
      Result.Outcome.Method = LaunchOutcome::Kind::Excluded;
      break;
    case LaunchDecision::SampledOut:
      Result.Outcome.Method = LaunchOutcome::Kind::SampledOut;
      break;
    case LaunchDecision::Checked:
      if (onlyCanaries())
        Result.Outcome.Reason = "scheme=canaries";
      else
        TryTwin();
    }
  }
  // Once more: the driver may have been out of something for a moment.
  if (Result.MustBeTwin && !Result.Outcome.isTwin())
    TryTwin();
  // What was known of the launch until then may not be all.
  if (isPassThrough() && !Result.Outcome.isTwin())
    return launchPassThrough(Queue, Handle, Range, Events, Enqueue);
  if (!Result.Outcome.isTwin() && settings().untrusted_kernels) {
    refuse(Result);
    return Result;
  }
  if (Result.MustBeTwin && !Result.Outcome.isTwin()) {
    if (Result.Error == CL_SUCCESS)
      Result.Error = CL_OUT_OF_RESOURCES;
    return Result;
  }
  if (!Result.Outcome.isTwin())
    launchNative(Queue, Handle, Range, Events, Enqueue, Kind, Result);
  Result.noticeChanges();
  // The driver has the launch: no failure of ours is the call's.
  noteIfPossible([&] {
    keepPace(Queue, Result.Number);
    if (haveManyRecords() || haveManyReadbacks() ||
        onError() != OnError::Continue)
      reportRecords();
  });
  return Result;
}

Launch warpsan::launch(cl_command_queue Queue, cl_kernel Handle,
                       const NDRange &Range, const EventArgs *Events,
                       const EnqueueKernel &Enqueue, LaunchKind Kind) {
  if (isPassThrough())
    return launchPassThrough(Queue, Handle, Range, Events, Enqueue);
  Launch Result;
  Result.Of = Kernels.find(Handle);
  if (!Events || !Result.Of)
    return launchNow(Queue, Handle, Range, Events, Enqueue, Kind,
                     std::move(Result));
  // Before the driver has it: some run a kernel in the call.
  const uint64_t Serial = noteRunning(Queue, Result.Of->Twin->Name);
  Result.Running = Serial;
  Result =
      launchNow(Queue, Handle, Range, Events, Enqueue, Kind, std::move(Result));
  if (Result.Error == CL_SUCCESS)
    noteEnqueued(Serial, Events->Event ? *Events->Event : nullptr);
  else
    noteRefused(Serial);
  return Result;
}
