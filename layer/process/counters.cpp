//===- layer/process/counters.cpp - counting what the process did ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/counters.h"

#include "diagnose/suppressions.h"
#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "layer/process/run_file.h"
#include "layer/process/settings.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <utility>

using namespace warpsan;

/// Never unmapped: threads of the driver may still count while the process
/// ends.
static StatusFile *Status = nullptr;

static std::string &SuppressionsFile = noDestructor<std::string>();
static auto &SuppressionLines =
    noDestructor<std::vector<Summary::SuppressionLine>>();

template <size_t Size>
static void copyText(char (&To)[Size], const std::string &From) {
  size_t Length = std::min(Size - 1, From.size());
  std::memcpy(To, From.data(), Length);
  To[Length] = '\0';
}

/// Whether `warpsan run` is there to print this process's summary: it removes
/// the run's directory when its program has ended.
static bool isReadByRun() {
  const char *Directory = secure_getenv(RunDirVariable);
  return Directory && access(Directory, F_OK) == 0;
}

static void printSummary() {
  if (settings().verbosity < 1 || isReadByRun())
    return;
  Summary Sum;
  addStatus(Sum, *Status);
  nameSuppressions(Sum, SuppressionsFile, SuppressionLines);
  writeUnsignaled(STDERR_FILENO, summaryText(Sum, settings().verbosity));
}

static void mapForThisProcess() {
  // Takes no memory unless it is used.
  alignas(StatusFile) static char Last[sizeof(StatusFile)];
  // In a file it outlives us; otherwise the run goes on uncounted by `warpsan
  // run`, which says that the layer left nothing behind.
  void *Memory = mapRunFile(".status", sizeof(StatusFile));
  if (!Memory) {
    static bool Used = false; // by the parent of a forked child
    if (std::exchange(Used, true))
      std::memset(Last, 0, sizeof(Last));
    Memory = Last;
  }
  // The file's zero bytes are the objects' initial state.
  auto *Fresh = static_cast<StatusFile *>(Memory);
  Fresh->Magic = StatusMagic;
  Fresh->Version = StatusVersion;
  Fresh->Pid = getpid();
  copyText(Fresh->Program, program_invocation_short_name);
  Status = Fresh;
}

void warpsan::openCounters() {
  if (Status)
    return;
  mapForThisProcess();
  // A forked child counts for itself.
  pthread_atfork(nullptr, nullptr, mapForThisProcess);
  // Before reportRecords is: what is registered first runs last.
  std::atexit(printSummary);
}

void warpsan::addCount(Counter Which, int64_t Add) {
  Status->Counters[static_cast<uint32_t>(Which)].fetch_add(
      static_cast<uint64_t>(Add), std::memory_order_relaxed);
}

/// A row of \p Table that \p Fill writes and nobody else does; once it is
/// there, readers look at it. Beyond the table: one row for all that is lost.
template <typename Row, size_t Rows, typename Writer>
static Row *addRow(std::atomic<uint64_t> &Count, Row (&Table)[Rows],
                   Writer Fill) {
  static Row Lost;
  uint64_t Index = Count.fetch_add(1);
  if (Index >= Rows)
    return &Lost;
  Fill(Table[Index]);
  Table[Index].Ready.store(1, std::memory_order_release);
  return &Table[Index];
}

Gap *warpsan::noteGap(const std::string &Subject, const std::string &Reason,
                      GapKind Kind) {
  return addRow(Status->GapCount, Status->Gaps, [&](Gap &Row) {
    Row.Kind = Kind;
    copyText(Row.Subject, Subject);
    copyText(Row.Reason, Reason);
  });
}

FindingRow *warpsan::noteFinding(const Summary::FindingLine &Line) {
  return addRow(Status->FindingCount, Status->Findings, [&](FindingRow &Row) {
    Row.Cuda = Line.Cuda;
    Row.Call = Line.Call;
    copyText(Row.Id, Line.Id);
    copyText(Row.Fingerprint, Line.Fingerprint);
    copyText(Row.Kernel, Line.Kernel);
    copyText(Row.Title, Line.Title);
    copyText(Row.Location, Line.Location);
  });
}

void warpsan::noteDescribed(FindingRow &Row, const std::string &HostLocation,
                            uint64_t ProgramNumber) {
  copyText(Row.HostLocation, HostLocation);
  Row.ProgramNumber = static_cast<uint32_t>(ProgramNumber);
  Row.Described.store(1, std::memory_order_release);
}

std::span<RunningRow, StatusFile::MaxRunning> warpsan::runningRows() {
  return Status->Running;
}

SuppressionRow *warpsan::noteSuppression(uint32_t Line,
                                         const std::string &Text) {
  return addRow(Status->SuppressionCount, Status->Suppressions,
                [&](SuppressionRow &Row) {
                  Row.Line = Line;
                  copyText(Row.Text, Text);
                });
}

void warpsan::nameSuppressionsOfThisProcess(const std::string &File,
                                            const Suppressions &All) {
  if (secure_getenv(RunDirVariable))
    return; // `warpsan run` has read them, and tells
  for (const std::string &Problem : All.Problems)
    writeUnsignaled(STDERR_FILENO, "WarpSan: " + Problem + "\n");
  SuppressionsFile = File;
  for (const Suppression &Each : All.All)
    SuppressionLines.push_back({Each.Line, Each.Text});
}

void warpsan::haltProcess() {
  printSummary();
  _exit(static_cast<int>(settings().exit_code));
}
