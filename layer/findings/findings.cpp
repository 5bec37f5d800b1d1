//===- layer/findings/findings.cpp - where findings come from -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/findings.h"

#include "layer/canary/canary.h"
#include "layer/findings/callers.h"
#include "layer/findings/command_races.h"
#include "layer/findings/describe.h"
#include "layer/findings/failed_reads.h"
#include "layer/findings/leaks.h"
#include "layer/findings/reporter.h"
#include "layer/findings/watcher.h"
#include "layer/launch/audit.h"
#include "layer/launch/running.h"
#include "layer/objects/launch_log.h"
#include "layer/order/command_order.h"
#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"
#include "layer/records/record_buffer.h"
#include "layer/records/records.h"
#include "layer/twin/twin_info.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <tuple>
#include <utility>
#include <vector>

using namespace warpsan;

/// The same place in the source may go wrong in different memory.
static std::string keyOf(const Finding &F) {
  return F.Id + " " + F.Fingerprint + " " +
         std::to_string(static_cast<int>(F.Root.What)) + " " +
         std::to_string(F.Root.Arg) + " " + F.Root.Name;
}

/// Guards Failed. Nothing else is locked while it is held.
static std::mutex &FailedMutex = noDestructor<std::mutex>();
/// Of this process's launches; of suppressed findings too.
static FailedReads &Failed = noDestructor<FailedReads>();

static void noteIfFailedRead(const Finding &F, uint32_t Site) {
  std::lock_guard Lock(FailedMutex);
  Failed.note(F, Site);
}

static void describeCause(Finding &F, uint32_t Site, const KernelInfo &Kernel) {
  std::lock_guard Lock(FailedMutex);
  F.Follows = Failed.causeOf(F, Site, Kernel);
}

/// Whether the record's finding is reported, not suppressed. None if it cannot
/// be understood: its launch is not known (a rogue kernel wrote it, or too many
/// launches came between), or it names what the kernel does not have.
static std::optional<bool> report(const WsRecord &Record) {
  std::optional<LoggedLaunch> L = findLaunch(Record.Launch);
  if (!L || !L->Kernel->Info)
    return std::nullopt;
  auto Kernel = L->Kernel->Info->kernel(L->Kernel->Name);
  if (!Kernel)
    return std::nullopt;
  LaunchInfo Launch = infoOf(*L);
  const std::shared_ptr<const Memory> Of = memoryOf(Record, *Kernel, *L);
  Launch.Heap = Launch.Object = infoOf(Of);
  std::optional<Finding> F = diagnose(Record, *Kernel, Launch);
  if (!F)
    return std::nullopt;
  const uint32_t Site = Record.Check / WS_TESTS;
  noteIfRefuted(*F, *L, Site, Record.Check % WS_TESTS);
  noteIfFailedRead(*F, Site);
  if (!reportOrCount(*F, keyOf(*F), [&](Finding &New, Detail Wanted) {
        if (Wanted == Detail::Full) {
          describe(New, *L, Of);
          describeCause(New, Site, *Kernel);
        } else {
          describeLocation(New, *L);
        }
      }))
    return false;
  addCount(Counter::finding_work_items, static_cast<int64_t>(F->Items));
  return true;
}

/// A finding of the application's own, about \p Of, which may be null. Each
/// backtrace that it comes from is one.
static void reportFrom(Backtrace Caller, Finding F,
                       const std::shared_ptr<const Life> &Of) {
  bool IsReported = false;
  {
    const ActiveReport Active;
    identifyCaller(F, Caller);
    IsReported = reportOrCount(F, keyOf(F), [&](Finding &New, Detail Wanted) {
      if (Wanted == Detail::Full)
        describeMemoryFrames(New, Of);
    });
  }
  if (IsReported)
    actOnError();
}

void warpsan::reportCall(FindingKind Kind, const char *Call,
                         const SvmPlace &Place) {
  reportFrom(captureBacktrace(),
             diagnoseCall(Kind, Call, infoOf(Place.Of),
                          static_cast<int64_t>(Place.Offset)),
             Place.Of);
}

void warpsan::reportReleasedObject(FindingKind Kind, const char *Call,
                                   const std::shared_ptr<const Life> &Of) {
  Finding F = diagnoseCall(Kind, Call, infoOf(Of), 0);
  F.Kernel = Of->Name;
  F.Performed = Kind == FindingKind::use_after_release;
  reportFrom(captureBacktrace(), std::move(F), Of);
}

void warpsan::reportArgument(FindingKind Kind, const char *Call,
                             const LaunchedKernel &Kernel, unsigned Index,
                             const std::shared_ptr<const Memory> &Of) {
  Finding F = diagnoseCall(Kind, Call, infoOf(Of), 0);
  F.Kernel = Kernel.Name;
  F.Root.What = RootInfo::Kind::Argument;
  F.Root.Arg = Index;
  F.Performed = Kind == FindingKind::use_after_release;
  F.Launch.Device = Kernel.Device;
  if (const auto Info = Kernel.Info->kernel(Kernel.Name)) {
    F.Cuda = Info->Cuda;
    if (Index < Info->Args.size())
      F.Arg = Info->Args[Index];
  }
  reportFrom(captureBacktrace(), std::move(F), Of);
}

void warpsan::reportCommandRace(const CommandRace &Race) {
  reportFrom(Race.Later->Caller, findingOf(Race),
             Race.Later->Accesses[Race.LaterAccess].Of);
}

void warpsan::reportLeak(const std::shared_ptr<const Memory> &First,
                         uint64_t Count) {
  Finding F =
      diagnoseCall(FindingKind::leak, First->CreatedBy, infoOf(First), 0);
  F.Items = Count;
  F.Performed = true;
  reportFrom(First->Created, std::move(F), First);
}

/// Bytes next to the memory of an argument have changed. True if it is
/// reported.
static bool report(const Overwritten &O) {
  const LoggedLaunch &L = O.Launch->Log;
  std::optional<Finding> F =
      diagnoseCanary({O.Launch->Why, O.Was, O.Is, O.Alone},
                     O.InFront ? Finding::Where::Before : Finding::Where::Past,
                     L.Kernel->Name, O.Arg, infoOf(O.Of), infoOf(L));
  return F && reportOrCount(*F, keyOf(*F), [&](Finding &New, Detail Wanted) {
           describeFrames(New, L.Caller,
                          Wanted == Detail::Full ? O.Of : nullptr);
         });
}

/// Drivers may have gone already.
static std::atomic<bool> ProcessEnds = false;

static void reportCanaries() {
  if (!haveCanaries())
    return;
  bool AnyReported = false;
  TakenCanaries Taken;
  {
    const ActiveReport Active;
    Taken = takeCanaries();
    for (const Overwritten &O : Taken.Found)
      AnyReported |= report(O);
  }
  if (AnyReported)
    actOnError();
  if (ProcessEnds.load())
    return;
  for (const auto &Free : Taken.Frees)
    Free();
}

/// Sorts records by launch, those of a launch in the order of its kernel's
/// accesses, those of an access by test: the first error first, and a loop that
/// runs away after its read. \p Records may say anything.
static void sortByTime(std::vector<WsRecord> &Records) {
  struct Timed {
    uint64_t Launch;
    uint32_t Order;
    const WsRecord *Of;
  };
  std::vector<Timed> Sorted;
  std::shared_ptr<const KernelInfo> Kernel;
  uint64_t KernelOf = 0; // launch 0 does not exist
  for (const WsRecord &Record : Records) {
    if (std::exchange(KernelOf, Record.Launch) != Record.Launch) {
      const std::optional<LoggedLaunch> L = findLaunch(Record.Launch);
      Kernel = L && L->Kernel->Info ? L->Kernel->Info->kernel(L->Kernel->Name)
                                    : nullptr;
    }
    const uint32_t Site = Record.Check / WS_TESTS;
    Sorted.push_back({Record.Launch,
                      Kernel && Site < Kernel->Sites.size()
                          ? Kernel->Sites[Site].Order
                          : Site,
                      &Record});
  }
  std::ranges::stable_sort(Sorted, {}, [](const Timed &Each) {
    return std::tuple(Each.Launch, Each.Order, Each.Of->Check % WS_TESTS);
  });
  std::vector<WsRecord> Out;
  Out.reserve(Records.size());
  for (const Timed &Each : Sorted)
    Out.push_back(*Each.Of);
  Records = std::move(Out);
}

/// Reports all that \p Take takes; true if on_error is to be done.
static bool reportTaken(const std::function<TakenRecords()> &Take) {
  const ActiveReport Active;
  TakenRecords Taken = Take();
  sortByTime(Taken.Records);
  // Reporting takes time, in which the process may be killed.
  addCount(Counter::records_unread, static_cast<int64_t>(Taken.Records.size()));
  uint64_t Bad = Taken.Damaged;
  bool AnyReported = false;
  for (const WsRecord &Record : Taken.Records) {
    const std::optional<bool> IsReported = report(Record);
    addCount(Counter::records_unread, -1);
    Bad += !IsReported;
    AnyReported |= IsReported.value_or(false);
  }
  if (Bad)
    addCount(Counter::records_bad, static_cast<int64_t>(Bad));
  if (Taken.Lost)
    addCount(Counter::records_lost, static_cast<int64_t>(Taken.Lost));
  return Bad || Taken.Lost || AnyReported;
}

void warpsan::reportRecords(bool MayWait) {
  reportCanaries();
  if (!haveRecords() && !haveReadbacks())
    return;
  if (reportTaken([MayWait] {
        TakenRecords Taken = takeRecords();
        if (haveReadbacks())
          takeReadbacks(Taken, MayWait, ProcessEnds.load());
        return Taken;
      }))
    actOnError();
}

bool warpsan::reportHostVisibleRecords() {
  if (ProcessEnds.load())
    return false;
  if (haveRecords() && reportTaken(takeRecords))
    actOnError();
  return true;
}

/// A forked child counts and reports for itself; what its parent found is not
/// in its status file.
static void startAnewInChild() {
  clearReporter();
  forgetRecords();
  forgetReadbacks();
  forgetCanaries();
  forgetLeaks();
  forgetWatcher();
  Failed = {};
  FailedMutex.unlock();
  clearCommandOrder();
  unlockCommandOrder();
  unlockCallers();
  unlockReporter();
}

static void lookAtTheEnd() {
  ProcessEnds = true;
  noteNoneRunning();
  awaitCanaries();
  reportRecords();
  reportLeaks();
  awaitReports();
}

void warpsan::watchForTheEnd() {
  readSuppressionsFile();
  std::atexit(lookAtTheEnd);
  std::at_quick_exit(lookAtTheEnd);
  pthread_atfork(
      [] {
        lockReporter();
        lockCallers();
        lockCanaries();
        lockLeaks();
        lockReadbacks();
        lockRecords();
        FailedMutex.lock();
        lockCommandOrder();
      },
      [] {
        unlockCommandOrder();
        FailedMutex.unlock();
        unlockRecords();
        unlockReadbacks();
        unlockLeaks();
        unlockCanaries();
        unlockCallers();
        unlockReporter();
      },
      startAnewInChild);
}
