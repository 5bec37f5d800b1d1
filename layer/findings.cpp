//===- layer/findings.cpp - from the record buffers to people -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings.h"

#include "layer/arg_bounds.h"
#include "layer/canary.h"
#include "layer/findings_file.h"
#include "layer/launch_log.h"
#include "layer/leaks.h"
#include "layer/records.h"
#include "layer/settings.h"
#include "layer/svm_near.h"
#include "layer/svm_ranges.h"
#include "layer/symbols.h"
#include "layer/tally.h"
#include "layer/twin_facts.h"
#include "report/report.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <utility>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static MemoryFacts::Kind kindOf(Life::Kind What) {
  using Kind = MemoryFacts::Kind;
  switch (What) {
  case Life::Kind::Buffer:
  case Life::Kind::Pipe:
    return Kind::Buffer;
  case Life::Kind::SubBuffer:
    return Kind::SubBuffer;
  case Life::Kind::Image:
    return Kind::Image;
  case Life::Kind::SVM:
    return Kind::SVM;
  case Life::Kind::USM:
    return Kind::USM;
  case Life::Kind::Program:
    return Kind::Program;
  case Life::Kind::Kernel:
    return Kind::Kernel;
  case Life::Kind::Queue:
    return Kind::Queue;
  case Life::Kind::Context:
    return Kind::Context;
  case Life::Kind::Sampler:
    return Kind::Sampler;
  }
  return Kind::None;
}

static MemoryFacts factsOf(const std::shared_ptr<const Life> &Of) {
  MemoryFacts Facts;
  if (!Of)
    return Facts;
  Facts.What = kindOf(Of->What);
  Facts.CreatedBy = Of->CreatedBy;
  if (const Release *R = Of->Released.load())
    Facts.ReleasedBy = R->By;
  if (!Of->isMemory())
    return Facts;
  const auto &M = static_cast<const Memory &>(*Of);
  Facts.Size = M.Size;
  if (const std::string *Name = M.Variable.load())
    Facts.Variable = *Name;
  Facts.ReadOnly = M.Flags & CL_MEM_READ_ONLY;
  Facts.WriteOnly = M.Flags & CL_MEM_WRITE_ONLY;
  Facts.SubOffset = M.Offset;
  Facts.ParentSize = M.ParentSize;
  return Facts;
}

static MemoryFacts factsOf(const ArgMemory &Arg) {
  using Kind = MemoryFacts::Kind;
  MemoryFacts Facts;
  switch (Arg.What) {
  case ArgMemory::Kind::None:
    return Facts;
  case ArgMemory::Kind::Local:
    Facts.What = Kind::Local;
    Facts.Size = Arg.Size;
    return Facts;
  case ArgMemory::Kind::Foreign:
    Facts.What = Kind::SVM;
    Facts.Size = WS_FOREIGN_SIZE;
    return Facts;
  case ArgMemory::Kind::Known:
    return factsOf(Arg.Of);
  }
  return Facts;
}

/// All but the backtraces: those are described for a new finding only.
static LaunchFacts launchFacts(const LoggedLaunch &L) {
  LaunchFacts Facts;
  Facts.Number = L.Number;
  Facts.LaunchedBy = L.Call;
  Facts.Dimensions = L.Dimensions;
  Facts.Offset = L.Offset;
  Facts.Global = L.Global;
  Facts.Local = L.Local;
  for (const ArgMemory &Arg : *L.Args)
    Facts.Args.push_back(factsOf(Arg));
  Facts.Device = L.Kernel->Device;
  return Facts;
}

/// What takes time and is wanted once a finding: the names in backtraces. \p
/// Of: what it is about, may be null.
static void nameFrames(Finding &F, Backtrace Caller,
                       const std::shared_ptr<const Life> &Of) {
  std::vector<Backtrace> Traces = {Caller};
  const Release *End = Of ? Of->Released.load() : nullptr;
  if (Of)
    Traces.push_back(Of->Created);
  if (End)
    Traces.push_back(End->From);
  std::vector<std::vector<HostFrame>> Names = describeTraces(Traces);
  F.Launch.Launched = std::move(Names[0]);
  if (Of)
    F.Memory.Created = std::move(Names[1]);
  if (End)
    F.Memory.Released = std::move(Names[2]);
}

/// What is near \p M, in which or from which \p F's access was made.
static void nameNeighbours(Finding &F, const std::shared_ptr<const Memory> &M) {
  const uintptr_t Start = F.Address - static_cast<uint64_t>(F.Offset);
  if (!M || M->isObject() || F.Fell == Finding::Where::None)
    return;
  // A member's offset is not the memory's.
  if (F.Kind == FindingKind::member_overflow)
    return;
  for (const NearMemory &N : svmNear(M, Start, F.Address)) {
    Neighbour Near;
    Near.Offset = static_cast<int64_t>(N.Start - Start);
    Near.Size = N.Of->Size;
    Near.CreatedBy = N.Of->CreatedBy;
    Near.Created = describeTraces({N.Of->Created.frames()}).front();
    Near.Freed = N.Of->Released.load() != nullptr;
    Near.Touched = F.Address - N.Start < N.Of->Size;
    F.Memory.Near.push_back(std::move(Near));
  }
}

static void describe(Finding &F, const LoggedLaunch &L) {
  if (!F.Site.At.empty())
    F.Excerpt = L.Kernel->Facts->excerpt(F.Site.At.front());
  std::shared_ptr<const Memory> M;
  if (F.Root.What == RootFacts::Kind::Argument && F.Root.Arg < L.Args->size())
    M = (*L.Args)[F.Root.Arg].Of;
  if (F.Root.What == RootFacts::Kind::Heap)
    M = svmPlaceOf(reinterpret_cast<void *>(F.Address - F.Offset)).Of;
  nameFrames(F, L.Caller, M);
  nameNeighbours(F, M);
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static void writeAll(int To, const std::string &Text) {
  for (size_t Done = 0; Done < Text.size();) {
    ssize_t Put = write(To, Text.data() + Done, Text.size() - Done);
    if (Put < 0 && errno == EINTR)
      continue;
    if (Put <= 0)
      return;
    Done += static_cast<size_t>(Put);
  }
}

static void print(const Finding &F) {
  const char *NoColour = std::getenv("NO_COLOR");
  TextStyle Style;
  Style.Colour = isatty(STDERR_FILENO) && !(NoColour && *NoColour);
  Style.Addresses = settings().verbosity >= 2;
  // Written in one piece, so that the program's own output does not come in
  // between.
  writeAll(STDERR_FILENO, textOf(F, Style) + "\n");
}

namespace {
/// A finding that was reported before.
struct KnownFinding {
  FindingRow *Row;
  uint64_t LastLaunch; ///< its number
};
} // namespace

/// Guards Known and the order of reports.
static std::mutex &Mutex = *new std::mutex;
/// By id and root; under Mutex.
static auto &Known = *new std::map<std::string, KnownFinding>;

/// \p Describe fills in what takes time.
static void noteNew(Finding &F, const std::string &Key,
                    const std::function<void(Finding &)> &Describe) {
  tally(Counter::findings);
  tally(Counter::finding_launches);
  FindingRow *Row =
      noteFinding(F.Id, F.Call.empty() ? F.Kernel : F.Call, F.Cuda, titleOf(F));
  Row->Launches.fetch_add(1, std::memory_order_relaxed);
  Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  const bool InFull =
      Known.size() < static_cast<uint64_t>(settings().max_findings);
  Known.emplace(Key, KnownFinding{Row, F.Launch.Number});
  if (!InFull)
    return;
  Describe(F);
  F.Process = {static_cast<uint64_t>(getpid()), program_invocation_short_name};
  print(F);
  appendToFindingsFile(jsonOf(F));
}

static void noteAgain(const Finding &F, KnownFinding &Before) {
  if (std::exchange(Before.LastLaunch, F.Launch.Number) != F.Launch.Number) {
    tally(Counter::finding_launches);
    Before.Row->Launches.fetch_add(1, std::memory_order_relaxed);
  }
  Before.Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  appendToFindingsFile(jsonOfAgain(F.Id, F.Launch.Number, F.Items,
                                   static_cast<uint64_t>(getpid())));
}

/// The same place in the source may go wrong in different memory.
static std::string keyOf(const Finding &F) {
  return F.Id + " " + std::to_string(static_cast<int>(F.Root.What)) + " " +
         std::to_string(F.Root.Arg) + " " + F.Root.Name;
}

/// Returns false if a record cannot be understood: its launch is not known (a
/// rogue kernel wrote it, or too many launches came between), or it names what
/// the kernel does not have.
static bool report(const WsRecord &Record) {
  std::optional<LoggedLaunch> L = findLaunch(Record.Launch);
  if (!L || !L->Kernel->Facts)
    return false;
  auto Kernel = L->Kernel->Facts->kernel(L->Kernel->Name);
  if (!Kernel)
    return false;
  LaunchFacts Launch = launchFacts(*L);
  // Where the heap's memory begins, as the twin saw it.
  const SvmPlace Place =
      svmPlaceOf(reinterpret_cast<void *>(Record.Address - Record.Offset));
  if (Place.Of)
    Launch.Heap = factsOf(Place.Of);
  std::optional<Finding> F = diagnose(Record, *Kernel, Launch);
  if (!F)
    return false;
  tally(Counter::finding_work_items, static_cast<int64_t>(F->Items));
  const std::string Key = keyOf(*F);
  if (auto It = Known.find(Key); It != Known.end())
    noteAgain(*F, It->second);
  else
    noteNew(*F, Key, [&](Finding &New) { describe(New, *L); });
  return true;
}

/// A finding of the application's own, about \p Of, which may be null. Each
/// place that it comes from is one.
static void reportFrom(Backtrace Caller, Finding F,
                       const std::shared_ptr<const Life> &Of) {
  std::string Key = keyOf(F) + " " + F.Kernel;
  for (void *Frame : Caller.frames())
    Key += " " + std::to_string(reinterpret_cast<uintptr_t>(Frame));
  for (const HostFrame &Frame : Caller.python())
    Key += " " + Frame.File + ":" + std::to_string(Frame.Line);
  std::unique_lock Lock(Mutex);
  if (auto It = Known.find(Key); It != Known.end())
    noteAgain(F, It->second);
  else
    noteNew(F, Key, [&](Finding &New) { nameFrames(New, Caller, Of); });
  if (settings().halt_on_error)
    haltProcess();
}

void warpsan::reportCall(FindingKind Kind, const char *Call,
                         const SvmPlace &Place) {
  reportFrom(captureBacktrace(),
             diagnoseCall(Kind, Call, factsOf(Place.Of),
                          static_cast<int64_t>(Place.Offset)),
             Place.Of);
}

void warpsan::reportReleasedObject(FindingKind Kind, const char *Call,
                                   const std::shared_ptr<const Life> &Of) {
  Finding F = diagnoseCall(Kind, Call, factsOf(Of), 0);
  F.Kernel = Of->Name;
  F.Made = Kind == FindingKind::use_after_release;
  reportFrom(captureBacktrace(), std::move(F), Of);
}

void warpsan::reportArgument(FindingKind Kind, const char *Call,
                             const LaunchedKernel &Kernel, unsigned Index,
                             const std::shared_ptr<const Memory> &Of) {
  Finding F = diagnoseCall(Kind, Call, factsOf(Of), 0);
  F.Kernel = Kernel.Name;
  F.Root.What = RootFacts::Kind::Argument;
  F.Root.Arg = Index;
  F.Made = Kind == FindingKind::use_after_release;
  F.Launch.Device = Kernel.Device;
  if (auto Facts = Kernel.Facts->kernel(Kernel.Name);
      Facts && Index < Facts->Args.size())
    F.Arg = Facts->Args[Index];
  reportFrom(captureBacktrace(), std::move(F), Of);
}

void warpsan::reportLeak(const std::shared_ptr<const Memory> &First,
                         uint64_t Count) {
  Finding F =
      diagnoseCall(FindingKind::leak, First->CreatedBy, factsOf(First), 0);
  F.Items = Count;
  F.Made = true;
  reportFrom(First->Created, std::move(F), First);
}

/// Bytes behind the memory of an argument have changed.
static void report(const Overwritten &O) {
  const LoggedLaunch &L = O.Launch->Log;
  std::optional<Finding> F =
      diagnoseCanary({O.Launch->Why, O.Was, O.Is, O.Alone}, L.Kernel->Name,
                     O.Arg, factsOf(O.Of), launchFacts(L));
  if (!F)
    return;
  const std::string Key = keyOf(*F);
  if (auto It = Known.find(Key); It != Known.end())
    noteAgain(*F, It->second);
  else
    noteNew(*F, Key, [&](Finding &New) { nameFrames(New, L.Caller, O.Of); });
}

/// Drivers may have gone already.
static std::atomic<bool> ProcessEnds = false;

static void reportCanaries() {
  if (!haveCanaries())
    return;
  std::unique_lock Lock(Mutex);
  const TakenCanaries Taken = takeCanaries();
  for (const Overwritten &O : Taken.Found)
    report(O);
  if (settings().halt_on_error && !Taken.Found.empty())
    haltProcess();
  Lock.unlock();
  if (ProcessEnds.load())
    return;
  for (const auto &Free : Taken.Frees)
    Free();
}

void warpsan::reportRecords() {
  reportCanaries();
  if (!haveRecords())
    return;
  std::unique_lock Lock(Mutex);
  TakenRecords Taken = takeRecords();
  uint64_t Bad = Taken.Damaged;
  for (const WsRecord &Record : Taken.Records)
    Bad += !report(Record);
  if (Bad)
    tally(Counter::records_bad, static_cast<int64_t>(Bad));
  if (Taken.Lost)
    tally(Counter::records_lost, static_cast<int64_t>(Taken.Lost));
  if (settings().halt_on_error && (Bad || Taken.Lost || !Taken.Records.empty()))
    haltProcess();
}

/// A forked child counts and reports for itself; what its parent found is not
/// in its status file.
static void startAnewInChild() {
  Known.clear();
  forgetRecords();
  forgetCanaries();
  Mutex.unlock();
}

void warpsan::watchForTheEnd() {
  std::atexit([] {
    ProcessEnds = true;
    awaitCanaries();
    reportRecords();
    reportLeaks();
  });
  pthread_atfork(
      [] {
        Mutex.lock();
        lockCanaries();
      },
      [] {
        unlockCanaries();
        Mutex.unlock();
      },
      startAnewInChild);
}
