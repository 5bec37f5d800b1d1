//===- layer/tally.cpp - counting what the process did --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/tally.h"

#include "diagnose/suppressions.h"
#include "layer/settings.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace warpsan;

/// Never unmapped: threads of the driver may still count while the process
/// ends.
static StatusFile *Status = nullptr;

// Never destroyed, as the settings.
static std::string &SuppressionsFile = *new std::string;
static auto &SuppressionLines = *new std::vector<Summary::SuppressionLine>;

static void copyText(char *To, size_t Size, const std::string &From) {
  size_t Length = std::min(Size - 1, From.size());
  std::memcpy(To, From.data(), Length);
  To[Length] = '\0';
}

/// A new file in the run's folder, or -1. One process may leave several: it
/// keeps its number when it becomes another program by exec.
static int createStatusFile(const std::string &Folder) {
  for (int Try = 0; Try < 100; ++Try) {
    std::string Path = Folder + "/" + std::to_string(getpid()) + "." +
                       std::to_string(Try) + ".status";
    int File = open(Path.c_str(),
                    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (File >= 0 || errno != EEXIST)
      return File;
  }
  return -1;
}

/// Maps a fresh status, in a file if the run has a folder for it. A status
/// that cannot be had as a file is kept in memory: the run goes on uncounted
/// by `warpsan run`, which says that the layer left nothing behind.
static void *mapStatus() {
  const char *Folder = std::getenv(RunDirVariable);
  int File = Folder ? createStatusFile(Folder) : -1;
  bool InFile = File >= 0 && ftruncate(File, sizeof(StatusFile)) == 0;
  int Flags = InFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *Memory = mmap(nullptr, sizeof(StatusFile), PROT_READ | PROT_WRITE,
                      Flags, InFile ? File : -1, 0);
  if (File >= 0)
    close(File);
  return Memory;
}

static void printSummary() {
  if (settings().verbosity < 1)
    return;
  Summary Sum;
  addStatus(Sum, *Status);
  nameSuppressions(Sum, SuppressionsFile, SuppressionLines);
  std::fputs(summaryText(Sum, settings().verbosity).c_str(), stderr);
}

static void mapForThisProcess() {
  void *Memory = mapStatus();
  if (Memory == MAP_FAILED)
    Memory = std::calloc(1, sizeof(StatusFile));
  if (!Memory)
    std::abort(); // 3 MB at start-up: there is no process to protect yet
  // The file's zero bytes are the objects' initial state.
  auto *Fresh = static_cast<StatusFile *>(Memory);
  Fresh->Magic = StatusMagic;
  Fresh->Version = StatusVersion;
  Fresh->Pid = getpid();
  copyText(Fresh->Program, sizeof(Fresh->Program),
           program_invocation_short_name);
  Status = Fresh;
}

void warpsan::openTally() {
  if (Status)
    return;
  mapForThisProcess();
  // A forked child counts for itself.
  pthread_atfork(nullptr, nullptr, mapForThisProcess);
  // Before reportRecords is: what is registered first runs last.
  if (!std::getenv(RunDirVariable))
    std::atexit(printSummary);
}

void warpsan::tally(Counter Which, int64_t Add) {
  Status->Counters[static_cast<uint32_t>(Which)].fetch_add(
      static_cast<uint64_t>(Add), std::memory_order_relaxed);
}

Gap *warpsan::noteGap(const std::string &Subject, const std::string &Reason,
                      GapKind Kind) {
  static Gap Lost; // launches beyond the table
  uint64_t Index = Status->GapCount.fetch_add(1);
  if (Index >= StatusFile::MaxGaps)
    return &Lost;
  Gap &Entry = Status->Gaps[Index];
  Entry.Kind = Kind;
  copyText(Entry.Subject, sizeof(Entry.Subject), Subject);
  copyText(Entry.Reason, sizeof(Entry.Reason), Reason);
  Entry.Ready.store(1, std::memory_order_release);
  return &Entry;
}

FindingRow *warpsan::noteFinding(const std::string &Id,
                                 const std::string &Kernel, bool Cuda,
                                 const std::string &Title) {
  static FindingRow Lost; // beyond the table
  uint64_t Index = Status->FindingCount.fetch_add(1);
  if (Index >= StatusFile::MaxFindings)
    return &Lost;
  FindingRow &Row = Status->Findings[Index];
  Row.Cuda = Cuda;
  copyText(Row.Id, sizeof(Row.Id), Id);
  copyText(Row.Kernel, sizeof(Row.Kernel), Kernel);
  copyText(Row.Title, sizeof(Row.Title), Title);
  Row.Ready.store(1, std::memory_order_release);
  return &Row;
}

SuppressionRow *warpsan::noteSuppression(uint32_t Line,
                                         const std::string &Text) {
  static SuppressionRow Lost; // beyond the table
  uint64_t Index = Status->SuppressionCount.fetch_add(1);
  if (Index >= StatusFile::MaxSuppressions)
    return &Lost;
  SuppressionRow &Row = Status->Suppressions[Index];
  Row.Line = Line;
  copyText(Row.Text, sizeof(Row.Text), Text);
  Row.Ready.store(1, std::memory_order_release);
  return &Row;
}

void warpsan::nameSuppressionsOfThisProcess(const std::string &File,
                                            const Suppressions &All) {
  if (std::getenv(RunDirVariable))
    return; // `warpsan run` has read them, and tells
  for (const std::string &Problem : All.Problems)
    std::fprintf(stderr, "WarpSan: %s\n", Problem.c_str());
  SuppressionsFile = File;
  for (const Suppression &Each : All.All)
    SuppressionLines.push_back({Each.Line, Each.Text});
}

void warpsan::haltProcess() {
  if (!std::getenv(RunDirVariable))
    printSummary();
  _exit(static_cast<int>(settings().exit_code));
}
