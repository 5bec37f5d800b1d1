//===- layer/findings/reporter.cpp - reports each finding once ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/reporter.h"

#include "diagnose/suppressions.h"
#include "layer/findings/findings_file.h"
#include "layer/process/counters.h"
#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "report/report.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace warpsan;

/// Writes \p Text in one piece, so that the program's own output does not come
/// in between.
static void writeReport(const std::string &Text) {
  if (!appendToLog(Text))
    writeUnsignaled(STDERR_FILENO, Text);
}

static void print(const Finding &F) {
  TextStyle Style =
      settings().log_path.empty() ? styleFor(STDERR_FILENO) : TextStyle();
  Style.Addresses = settings().verbosity >= 2;
  writeReport(textOf(F, Style) + "\n");
}

namespace {
/// A suppression that matched a finding.
struct UsedSuppression {
  SuppressionRow *Row = nullptr;
  uint64_t LastLaunch = 0; ///< that was counted; 0: none
};

/// A finding that came before.
struct KnownFinding {
  FindingRow *Row;             ///< null: it is suppressed
  UsedSuppression *Suppressed; ///< null: it is not
  uint64_t LastLaunch;         ///< its number
  enum { Counted, Describing, InFull } Is = Counted;
  std::string Later = {}; ///< lines for the file, while it is being described
};
} // namespace

/// Guards KnownFindings, UsedSuppressions and Reported. Not held while a
/// finding is described: that takes seconds, and the compiler's lock, which
/// fork takes before this one.
static std::mutex &Mutex = noDestructor<std::mutex>();
/// By id and root.
static auto &KnownFindings =
    noDestructor<std::map<std::string, KnownFinding>>();
/// By line of the file: the suppressions that matched a finding.
static auto &UsedSuppressions =
    noDestructor<std::map<uint32_t, UsedSuppression>>();
static int64_t Reported = 0; ///< findings that were reported, or would be
/// Threads that are in an ActiveReport.
static std::atomic<int> ActiveReports = 0;
/// Read once, at start.
static Suppressions &Suppressed = noDestructor<Suppressions>();

/// Whether \p Now is the launch \p Last, which becomes \p Now. A call has
/// number 0 and is no launch that could come twice.
static bool isSameLaunch(uint64_t &Last, uint64_t Now) {
  return std::exchange(Last, Now) == Now && Now;
}

/// Counts a launch in which \p Used matched, once: records come sorted by
/// launch; or a call, which is launch 0.
static void countLaunch(UsedSuppression &Used, uint64_t Launch) {
  if (!Launch)
    Used.Row->Calls.fetch_add(1, std::memory_order_relaxed);
  else if (!isSameLaunch(Used.LastLaunch, Launch))
    Used.Row->Launches.fetch_add(1, std::memory_order_relaxed);
}

/// False if the user does not want to know of it.
static bool noteUnlessSuppressed(const Finding &F, const std::string &Key) {
  const Suppression *By = Suppressed.find(F);
  if (!By || F.Refuted) // nobody can know of a defect of ours
    return true;
  UsedSuppression &Used = UsedSuppressions[By->Line];
  if (!Used.Row)
    Used.Row = noteSuppression(By->Line, By->Text);
  Used.Row->Findings.fetch_add(1, std::memory_order_relaxed);
  countLaunch(Used, F.Launch.Number);
  KnownFindings.emplace(Key, KnownFinding{nullptr, &Used, F.Launch.Number});
  return false;
}

/// Counts a new finding; true if it is to be reported in full.
static bool withinLimit() {
  const int64_t Max = settings().max_findings;
  if (Reported++ < Max)
    return true;
  addCount(Counter::findings_truncated);
  if (Reported == Max + 1)
    writeReport("WarpSan: more than max_findings=" + std::to_string(Max) +
                " different errors: from here on they are counted, and "
                "listed in the summary.\n\n");
  return false;
}

/// Counts a new finding. It is to be reported in full if it is Describing.
static KnownFinding &noteNew(const Finding &F, const std::string &Key) {
  addCount(Counter::findings);
  if (F.Refuted)
    addCount(Counter::findings_refuted);
  addCount(Counter::finding_launches);
  FindingRow *Row = noteFinding({.Id = F.Id,
                                 .Kernel = F.Call.empty() ? F.Kernel : F.Call,
                                 .Title = titleOf(F),
                                 .Cuda = F.Cuda,
                                 .Fingerprint = F.Fingerprint,
                                 .Call = !F.Call.empty(),
                                 .Location = locationOf(F)});
  Row->Launches.fetch_add(1, std::memory_order_relaxed);
  Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  const bool InFull = withinLimit();
  return KnownFindings
      .emplace(Key, KnownFinding{Row, nullptr, F.Launch.Number,
                                 InFull ? KnownFinding::Describing
                                        : KnownFinding::Counted})
      .first->second;
}

/// Where \p F is in the host program, if that is what a person looks for.
static std::string hostPlaceOf(const Finding &F) {
  const bool SourceIsThere =
      !F.Site.At.empty() && access(F.Site.At.front().File.c_str(), F_OK) == 0;
  return hostLocationOf(F, SourceIsThere);
}

static void countRepeat(const Finding &F, KnownFinding &Before) {
  if (Before.Suppressed) {
    countLaunch(*Before.Suppressed, F.Launch.Number);
    return;
  }
  const bool SameLaunch = isSameLaunch(Before.LastLaunch, F.Launch.Number);
  if (!SameLaunch) {
    addCount(Counter::finding_launches);
    Before.Row->Launches.fetch_add(1, std::memory_order_relaxed);
  }
  Before.Row->WorkItems.fetch_add(F.Items, std::memory_order_relaxed);
  if (Before.Is == KnownFinding::Counted)
    return; // its id is not in the file
  const std::string Line =
      jsonOfRepeat(F.Id, F.Fingerprint, F.Launch.Number, F.Items,
                   static_cast<uint64_t>(getpid()));
  if (Before.Is == KnownFinding::InFull)
    appendToFindingsFile(Line);
  else
    Before.Later += Line;
}

bool warpsan::reportOrCount(
    Finding &F, const std::string &Key,
    const std::function<void(Finding &, Detail)> &Describe) {
  std::unique_lock Lock(Mutex);
  if (auto It = KnownFindings.find(Key); It != KnownFindings.end()) {
    countRepeat(F, It->second);
    return !It->second.Suppressed;
  }
  if (!noteUnlessSuppressed(F, Key))
    return false;
  KnownFinding &New = noteNew(F, Key);
  const bool InFull = New.Is == KnownFinding::Describing;
  Lock.unlock();
  Describe(F, InFull ? Detail::Full : Detail::Location);
  F.Process = {static_cast<uint64_t>(getpid()), program_invocation_short_name};
  if (InFull)
    print(F);
  const std::string Line = InFull ? jsonOf(F) : std::string();
  const std::string Place = hostPlaceOf(F);
  Lock.lock(); // elements of a map stay where they are
  noteDescribed(*New.Row, Place, F.Call.empty() ? F.Program.Number : 0);
  if (!InFull)
    return true;
  appendToFindingsFile(Line);
  if (!New.Later.empty())
    appendToFindingsFile(std::exchange(New.Later, {}));
  New.Is = KnownFinding::InFull;
  return true;
}

void warpsan::awaitReports() {
  constexpr int MaxMilliseconds = 60000;
  for (int I = 0; I < MaxMilliseconds && ActiveReports.load() > 0; ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

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

void warpsan::actOnError() {
  switch (onError()) {
  case OnError::Continue:
    return;
  case OnError::Halt:
    awaitReports();
    haltProcess();
  case OnError::Trap:
    trap();
  }
}

ActiveReport::ActiveReport() { ++ActiveReports; }
ActiveReport::~ActiveReport() { --ActiveReports; }

void warpsan::readSuppressionsFile() {
  Suppressed = readSuppressions(settings().suppressions);
  nameSuppressionsOfThisProcess(settings().suppressions, Suppressed);
}

void warpsan::lockReporter() { Mutex.lock(); }
void warpsan::unlockReporter() { Mutex.unlock(); }

void warpsan::clearReporter() {
  KnownFindings.clear();
  UsedSuppressions.clear();
  Reported = 0;
  ActiveReports = 0;
}
