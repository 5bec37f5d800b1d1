//===- layer/findings.cpp - from the record buffers to people -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings.h"

#include "diagnose/suppressions.h"
#include "layer/arg_bounds.h"
#include "layer/audit.h"
#include "layer/canary.h"
#include "layer/findings_file.h"
#include "layer/launch_log.h"
#include "layer/leaks.h"
#include "layer/marked.h"
#include "layer/record_buffer.h"
#include "layer/records.h"
#include "layer/running.h"
#include "layer/settings.h"
#include "layer/svm_near.h"
#include "layer/svm_ranges.h"
#include "layer/symbols.h"
#include "layer/tally.h"
#include "layer/twin_facts.h"
#include "layer/watcher.h"
#include "report/report.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <pthread.h>
#include <thread>
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
  Facts.Object = M.Marked;
  Facts.Name = M.Name;
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
    Facts = factsOf(Arg.Of);
    Facts.ArgStart = Arg.Start;
    return Facts;
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
  const std::vector<NearMemory> All = svmNear(M, Start, F.Address);
  std::vector<Backtrace> Traces;
  for (const NearMemory &N : All)
    Traces.push_back(N.Of->Created);
  std::vector<std::vector<HostFrame>> Names = describeTraces(Traces);
  for (size_t I = 0; I < All.size(); ++I) {
    const NearMemory &N = All[I];
    Neighbour Near;
    Near.Offset = static_cast<int64_t>(N.Start - Start);
    Near.Size = N.Of->Size;
    Near.CreatedBy = N.Of->CreatedBy;
    Near.Created = std::move(Names[I]);
    Near.Freed = N.Of->Released.load() != nullptr;
    Near.Touched = F.Address - N.Start < N.Of->Size;
    F.Memory.Near.push_back(std::move(Near));
  }
}

/// What a record is about, as far as it is the application's memory.
static std::shared_ptr<const Memory> memoryOf(const WsRecord &Record,
                                              const KernelFacts &Kernel,
                                              const LoggedLaunch &L) {
  if (Record.Root >= Kernel.Roots.size())
    return nullptr;
  const RootFacts &Root = Kernel.Roots[Record.Root];
  // Where the heap's memory begins, as the twin saw it.
  if (Root.What == RootFacts::Kind::Heap)
    return heldPlaceOf(reinterpret_cast<void *>(Record.Address - Record.Offset),
                       Record.Size & WS_SIZE_BITS)
        .Of;
  if (Root.What != RootFacts::Kind::Argument || Root.Arg >= L.Args->size())
    return nullptr;
  const std::shared_ptr<const Memory> &Of = (*L.Args)[Root.Arg].Of;
  if (Of && Record.Check % WS_TESTS == WS_TEST_OBJECT)
    if (auto Object = objectNear(*Of, Record.Offset, Record.Bytes))
      return Object;
  return Of;
}

/// \p Of: what memoryOf() said of it.
static void describe(Finding &F, const LoggedLaunch &L,
                     const std::shared_ptr<const Memory> &Of) {
  if (!F.Site.At.empty())
    F.Excerpt = L.Kernel->Facts->excerpt(F.Site.At.front());
  nameFrames(F, L.Caller, Of);
  nameNeighbours(F, Of);
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
  TextStyle Style = styleFor(STDERR_FILENO);
  Style.Addresses = settings().verbosity >= 2;
  // Written in one piece, so that the program's own output does not come in
  // between.
  writeAll(STDERR_FILENO, textOf(F, Style) + "\n");
}

namespace {
/// A finding that came before.
struct KnownFinding {
  FindingRow *Row;            ///< null: it is suppressed
  SuppressionRow *Suppressed; ///< null: it is not
  uint64_t LastLaunch;        ///< its number
  enum { Counted, Describing, InFull } Is = Counted;
  std::string Later = {}; ///< lines for the file, while it is being described
};
} // namespace

/// Guards Known, Suppressing and Told. Not held while a finding is described:
/// that takes seconds, and the compiler's lock, which fork takes before this
/// one.
static std::mutex &Mutex = *new std::mutex;
/// By id and root.
static auto &Known = *new std::map<std::string, KnownFinding>;
/// By line of the file; those that were of use.
static auto &Suppressing = *new std::map<uint32_t, SuppressionRow *>;
static int64_t Told = 0; ///< findings that were reported, or would be
/// Threads that have taken something and have not reported it yet.
static std::atomic<int> Reporting = 0;
/// Read once, at start.
static Suppressions &Suppressed = *new Suppressions;

/// False if the user does not want to know of it.
static bool noteUnlessSuppressed(const Finding &F, const std::string &Key) {
  const Suppression *By = Suppressed.find(F);
  if (!By || F.Refuted) // nobody can know of a defect of ours
    return true;
  SuppressionRow *&Row = Suppressing[By->Line];
  if (!Row)
    Row = noteSuppression(By->Line, By->Text);
  Row->Findings.fetch_add(1, std::memory_order_relaxed);
  Row->Launches.fetch_add(1, std::memory_order_relaxed);
  Known.emplace(Key, KnownFinding{nullptr, Row, F.Launch.Number});
  return false;
}

/// Counts a new finding; true if it is to be reported in full.
static bool mayBeTold() {
  const int64_t Most = settings().max_findings;
  if (Told++ < Most)
    return true;
  tally(Counter::findings_brief);
  if (Told == Most + 1)
    writeAll(STDERR_FILENO,
             "WarpSan: more than max_findings=" + std::to_string(Most) +
                 " different errors: from here on they are counted, and "
                 "listed in the summary.\n\n");
  return false;
}

/// Counts a new finding. Returns what is known of it if it is to be reported
/// in full, else null.
static KnownFinding *noteNew(const Finding &F, const std::string &Key) {
  tally(Counter::findings);
  if (F.Refuted)
    tally(Counter::findings_refuted);
  tally(Counter::finding_launches);
  FindingRow *Row =
      noteFinding(F.Id, F.Fingerprint, F.Call.empty() ? F.Kernel : F.Call,
                  F.Cuda, titleOf(F));
  Row->Launches.fetch_add(1, std::memory_order_relaxed);
  Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  const bool InFull = mayBeTold();
  KnownFinding &New =
      Known
          .emplace(Key, KnownFinding{Row, nullptr, F.Launch.Number,
                                     InFull ? KnownFinding::Describing
                                            : KnownFinding::Counted})
          .first->second;
  return InFull ? &New : nullptr;
}

static void noteAgain(const Finding &F, KnownFinding &Before) {
  const bool SameLaunch =
      std::exchange(Before.LastLaunch, F.Launch.Number) == F.Launch.Number;
  if (Before.Suppressed) {
    if (!SameLaunch)
      Before.Suppressed->Launches.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!SameLaunch) {
    tally(Counter::finding_launches);
    Before.Row->Launches.fetch_add(1, std::memory_order_relaxed);
  }
  Before.Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  if (Before.Is == KnownFinding::Counted)
    return; // its id is not in the file
  const std::string Line =
      jsonOfAgain(F.Id, F.Fingerprint, F.Launch.Number, F.Items,
                  static_cast<uint64_t>(getpid()));
  if (Before.Is == KnownFinding::InFull)
    appendToFindingsFile(Line);
  else
    Before.Later += Line;
}

/// Reports or counts \p F; false if it is suppressed. \p Describe fills in what
/// takes time.
static bool note(Finding &F, const std::string &Key,
                 const std::function<void(Finding &)> &Describe) {
  std::unique_lock Lock(Mutex);
  if (auto It = Known.find(Key); It != Known.end()) {
    noteAgain(F, It->second);
    return !It->second.Suppressed;
  }
  if (!noteUnlessSuppressed(F, Key))
    return false;
  KnownFinding *const InFull = noteNew(F, Key);
  if (!InFull)
    return true;
  Lock.unlock();
  Describe(F);
  F.Process = {static_cast<uint64_t>(getpid()), program_invocation_short_name};
  print(F);
  const std::string Line = jsonOf(F);
  Lock.lock(); // elements of a map stay where they are
  appendToFindingsFile(Line);
  if (!InFull->Later.empty())
    appendToFindingsFile(std::exchange(InFull->Later, {}));
  InFull->Is = KnownFinding::InFull;
  return true;
}

/// Others are reporting: waits until they have, or are given up.
static void awaitOtherReports(int Own) {
  constexpr int MostMilliseconds = 60000;
  for (int I = 0; I < MostMilliseconds && Reporting.load() > Own; ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

namespace {
/// While it lives, this thread may have taken something that it has not
/// reported.
struct ReportingHere {
  ReportingHere() { ++Reporting; }
  ReportingHere(const ReportingHere &) = delete;
  ~ReportingHere() { --Reporting; }
};
} // namespace

/// Stops in a debugger, which sees the signal first, or ends the process. Not
/// by a handler: that which LLVM puts into drivers returns as if nothing were.
static void trap() {
  struct sigaction Default = {}, Before;
  Default.sa_handler = SIG_DFL;
  sigset_t Just, Mask;
  sigemptyset(&Just);
  sigaddset(&Just, SIGTRAP);
  sigaction(SIGTRAP, &Default, &Before);
  pthread_sigmask(SIG_UNBLOCK, &Just, &Mask);
  std::raise(SIGTRAP);
  pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
  sigaction(SIGTRAP, &Before, nullptr);
}

/// An error was told: what on_error asks for. To be called without a lock: a
/// debugger may want to look around.
static void actOnError() {
  switch (onError()) {
  case OnError::Continue:
    return;
  case OnError::Halt:
    awaitOtherReports(0);
    haltProcess();
  case OnError::Trap:
    trap();
  }
}

/// The same place in the source may go wrong in different memory.
static std::string keyOf(const Finding &F) {
  return F.Id + " " + F.Fingerprint + " " +
         std::to_string(static_cast<int>(F.Root.What)) + " " +
         std::to_string(F.Root.Arg) + " " + F.Root.Name;
}

/// Whether the record's finding is told, not suppressed. None if it cannot be
/// understood: its launch is not known (a rogue kernel wrote it, or too many
/// launches came between), or it names what the kernel does not have.
static std::optional<bool> report(const WsRecord &Record) {
  std::optional<LoggedLaunch> L = findLaunch(Record.Launch);
  if (!L || !L->Kernel->Facts)
    return std::nullopt;
  auto Kernel = L->Kernel->Facts->kernel(L->Kernel->Name);
  if (!Kernel)
    return std::nullopt;
  LaunchFacts Launch = launchFacts(*L);
  const std::shared_ptr<const Memory> Of = memoryOf(Record, *Kernel, *L);
  Launch.Heap = Launch.Object = factsOf(Of);
  std::optional<Finding> F = diagnose(Record, *Kernel, Launch);
  if (!F)
    return std::nullopt;
  noteIfRefuted(*F, *L, Record.Check / WS_TESTS, Record.Check % WS_TESTS);
  if (!note(*F, keyOf(*F), [&](Finding &New) { describe(New, *L, Of); }))
    return false;
  tally(Counter::finding_work_items, static_cast<int64_t>(F->Items));
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
  bool IsTold = false;
  {
    const ReportingHere Here;
    IsTold = note(F, Key, [&](Finding &New) { nameFrames(New, Caller, Of); });
  }
  if (IsTold)
    actOnError();
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

/// Bytes next to the memory of an argument have changed. True if it is told.
static bool report(const Overwritten &O) {
  const LoggedLaunch &L = O.Launch->Log;
  std::optional<Finding> F =
      diagnoseCanary({O.Launch->Why, O.Was, O.Is, O.Alone},
                     O.InFront ? Finding::Where::Before : Finding::Where::Past,
                     L.Kernel->Name, O.Arg, factsOf(O.Of), launchFacts(L));
  return F && note(*F, keyOf(*F),
                   [&](Finding &New) { nameFrames(New, L.Caller, O.Of); });
}

/// Drivers may have gone already.
static std::atomic<bool> ProcessEnds = false;

static void reportCanaries() {
  if (!haveCanaries())
    return;
  bool AnyTold = false;
  TakenCanaries Taken;
  {
    const ReportingHere Here;
    Taken = takeCanaries();
    for (const Overwritten &O : Taken.Found)
      AnyTold |= report(O);
  }
  if (AnyTold)
    actOnError();
  if (ProcessEnds.load())
    return;
  for (const auto &Free : Taken.Frees)
    Free();
}

/// Reports all that \p Take takes; true if on_error is to be done.
static bool reportTaken(const std::function<TakenRecords()> &Take) {
  const ReportingHere Here;
  const TakenRecords Taken = Take();
  // To tell takes time, in which the process may be killed.
  tally(Counter::records_unread, static_cast<int64_t>(Taken.Records.size()));
  uint64_t Bad = Taken.Damaged;
  bool AnyTold = false;
  for (const WsRecord &Record : Taken.Records) {
    const std::optional<bool> IsTold = report(Record);
    tally(Counter::records_unread, -1);
    Bad += !IsTold;
    AnyTold |= IsTold.value_or(false);
  }
  if (Bad)
    tally(Counter::records_bad, static_cast<int64_t>(Bad));
  if (Taken.Lost)
    tally(Counter::records_lost, static_cast<int64_t>(Taken.Lost));
  return Bad || Taken.Lost || AnyTold;
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
  Known.clear();
  Suppressing.clear();
  Told = 0;
  Reporting = 0;
  forgetRecords();
  forgetReadbacks();
  forgetCanaries();
  forgetLeaks();
  forgetWatcher();
  Mutex.unlock();
}

static void lookAtTheEnd() {
  ProcessEnds = true;
  noteNoneRunning();
  awaitCanaries();
  reportRecords();
  reportLeaks();
  awaitOtherReports(0);
}

void warpsan::watchForTheEnd() {
  Suppressed = readSuppressions(settings().suppressions);
  nameSuppressionsOfThisProcess(settings().suppressions, Suppressed);
  std::atexit(lookAtTheEnd);
  std::at_quick_exit(lookAtTheEnd);
  pthread_atfork(
      [] {
        Mutex.lock();
        lockCanaries();
        lockLeaks();
        lockReadbacks();
        lockRecords();
      },
      [] {
        unlockRecords();
        unlockReadbacks();
        unlockLeaks();
        unlockCanaries();
        Mutex.unlock();
      },
      startAnewInChild);
}
