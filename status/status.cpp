//===- status/status.cpp - adding up the status files of a run ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/status.h"

#include "status/access_places.h"
#include "status/records_file.h"
#include "text/format.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpsan {

/// The text of a field that may have been cut, or left unfinished by a process
/// that died.
template <size_t N> static std::string fieldText(const char (&Field)[N]) {
  return std::string(Field, strnlen(Field, N));
}

static Summary::GapLine lineOf(const Gap &Row) {
  return {fieldText(Row.Subject), fieldText(Row.Reason),
          Row.Launches.load(std::memory_order_relaxed), Row.Kind};
}

static Summary::FindingLine lineOf(const FindingRow &Row) {
  const bool Described = Row.Described.load(std::memory_order_acquire);
  return {fieldText(Row.Id),
          fieldText(Row.Kernel),
          fieldText(Row.Title),
          Row.Launches.load(std::memory_order_relaxed),
          Row.WorkItems.load(std::memory_order_relaxed),
          Row.Cuda != 0,
          fieldText(Row.Fingerprint),
          Row.Call != 0,
          fieldText(Row.Location),
          Described ? fieldText(Row.HostLocation) : std::string(),
          Described ? Row.ProgramNumber : 0};
}

static Summary::SuppressionLine lineOf(const SuppressionRow &Row) {
  return {Row.Line, fieldText(Row.Text),
          Row.Findings.load(std::memory_order_relaxed),
          Row.Launches.load(std::memory_order_relaxed),
          Row.Calls.load(std::memory_order_relaxed)};
}

/// Which lines are one: gaps of one subject and reason, equal findings.
static auto keyOf(const Summary::GapLine &Line) {
  return std::tuple(Line.Kind, Line.Subject, Line.Reason);
}

/// As `warpsan report` merges findings.
static auto keyOf(const Summary::FindingLine &Line) {
  return std::tuple(Line.Id, Line.Fingerprint,
                    Line.Fingerprint.empty() ? Line.Title : std::string());
}

static auto keyOf(const Summary::RunningLine &Line) { return Line.Kernel; }

static auto keyOf(const Summary::SuppressionLine &Line) {
  return std::pair(Line.Line, Line.Text);
}

static void addTo(Summary::GapLine &Known, const Summary::GapLine &More) {
  Known.Launches += More.Launches;
}

static void addTo(Summary::FindingLine &Known,
                  const Summary::FindingLine &More) {
  Known.Launches += More.Launches;
  Known.WorkItems += More.WorkItems;
}

static void addTo(Summary::RunningLine &Known,
                  const Summary::RunningLine &More) {
  Known.Launches += More.Launches;
}

static void addTo(Summary::SuppressionLine &Known,
                  const Summary::SuppressionLine &More) {
  Known.Findings += More.Findings;
  Known.Launches += More.Launches;
  Known.Calls += More.Calls;
}

namespace {

/// Adds to lines of which no two are one.
template <typename Line> class MergedLines {
public:
  explicit MergedLines(std::vector<Line> &Into) : Lines(Into) {
    for (size_t I = 0; I < Lines.size(); ++I)
      Known.emplace(keyOf(Lines[I]), I);
  }
  void add(Line New) {
    auto [At, IsNew] = Known.emplace(keyOf(New), Lines.size());
    if (IsNew)
      Lines.push_back(std::move(New));
    else
      addTo(Lines[At->second], New);
  }

private:
  std::vector<Line> &Lines;
  std::map<decltype(keyOf(std::declval<Line>())), size_t> Known;
};

} // namespace

/// Adds the rows of a status file to \p Lines. Rows that found no room, or that
/// a dying process left unfinished, are \p Lost.
template <typename Row, typename Line, size_t Most>
static void addRows(const Row (&Rows)[Most],
                    const std::atomic<uint64_t> &Recorded,
                    std::vector<Line> &Lines, uint64_t &Lost) {
  MergedLines<Line> Merged(Lines);
  const uint64_t All = Recorded.load(std::memory_order_acquire);
  const uint64_t Kept = std::min<uint64_t>(All, Most);
  Lost += All - Kept;
  for (uint64_t I = 0; I < Kept; ++I) {
    if (Rows[I].Ready.load(std::memory_order_acquire))
      Merged.add(lineOf(Rows[I]));
    else
      ++Lost;
  }
}

static void addExecutable(Summary &Sum, const std::string &Name) {
  if (std::find(Sum.Executables.begin(), Sum.Executables.end(), Name) ==
      Sum.Executables.end())
    Sum.Executables.push_back(Name);
}

static void addRunning(Summary &Sum, const StatusFile &Status) {
  std::vector<std::pair<uint64_t, std::string>> Rows;
  for (const RunningRow &Row : Status.Running)
    if (const uint64_t Serial = Row.Serial.load(std::memory_order_acquire))
      Rows.emplace_back(Serial, fieldText(Row.Kernel));
  std::ranges::sort(Rows, std::greater<>());
  MergedLines<Summary::RunningLine> Merged(Sum.Running);
  for (const auto &[Serial, Kernel] : Rows)
    Merged.add({Kernel, 1});
}

void addStatus(Summary &Sum, const StatusFile &Status) {
  ++Sum.Processes;
  addExecutable(Sum, fieldText(Status.Program));
  for (uint32_t I = 0; I < static_cast<uint32_t>(Counter::Count); ++I)
    Sum.Counters[I] += Status.Counters[I].load(std::memory_order_relaxed);
  addRows(Status.Gaps, Status.GapCount, Sum.Gaps, Sum.GapsLost);
  addRows(Status.Findings, Status.FindingCount, Sum.Findings, Sum.FindingsLost);
  addRows(Status.Suppressions, Status.SuppressionCount, Sum.Suppressions,
          Sum.SuppressionsLost);
  addRunning(Sum, Status);
}

void nameSuppressions(Summary &Sum, const std::string &File,
                      std::vector<Summary::SuppressionLine> All) {
  Sum.SuppressionsFile = File;
  for (const Summary::SuppressionLine &Used : Sum.Suppressions) {
    auto It =
        std::ranges::find(All, Used.Line, &Summary::SuppressionLine::Line);
    if (It != All.end())
      addTo(*It, Used);
    else // the file was another one when the layer read it
      All.push_back(Used);
  }
  std::ranges::sort(All, {}, &Summary::SuppressionLine::Line);
  Sum.Suppressions = std::move(All);
}

static bool failed(const Summary &Sum) {
  return Sum.Signal || (Sum.ExitCode && *Sum.ExitCode != 0);
}

void addSummary(Summary &Sum, const Summary &More) {
  Sum.Processes += More.Processes;
  if (!Sum.NoDriver) {
    Sum.NoDriver = More.NoDriver;
    Sum.DriversIn = More.DriversIn;
  }
  for (const std::string &Name : More.Executables)
    addExecutable(Sum, Name);
  for (uint32_t I = 0; I < static_cast<uint32_t>(Counter::Count); ++I)
    Sum.Counters[I] += More.Counters[I];
  MergedLines<Summary::GapLine> Gaps(Sum.Gaps);
  for (const Summary::GapLine &Line : More.Gaps)
    Gaps.add(Line);
  Sum.GapsLost += More.GapsLost;
  MergedLines<Summary::FindingLine> Findings(Sum.Findings);
  for (const Summary::FindingLine &Line : More.Findings)
    Findings.add(Line);
  Sum.FindingsLost += More.FindingsLost;
  if (Sum.SuppressionsFile.empty())
    Sum.SuppressionsFile = More.SuppressionsFile;
  MergedLines<Summary::SuppressionLine> Suppressions(Sum.Suppressions);
  for (const Summary::SuppressionLine &Line : More.Suppressions)
    Suppressions.add(Line);
  MergedLines<Summary::RunningLine> Running(Sum.Running);
  for (const Summary::RunningLine &Line : More.Running)
    Running.add(Line);
  const bool Known = Sum.ExitCode || Sum.Signal;
  if (!Known || (!failed(Sum) && failed(More))) {
    Sum.ExitCode = More.ExitCode;
    Sum.Signal = More.Signal;
  }
}

/// Reads \p Size bytes at \p Offset of the file into \p To.
static bool readAt(int Fd, void *To, size_t Size, size_t Offset) {
  char *At = static_cast<char *>(To);
  while (Size) {
    ssize_t Got = pread(Fd, At, Size, static_cast<off_t>(Offset));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return false;
    At += Got;
    Offset += static_cast<size_t>(Got);
    Size -= static_cast<size_t>(Got);
  }
  return true;
}

/// Reads the counters, and of gaps and findings only those that were recorded:
/// the file is some megabytes of holes otherwise. Returns what is wrong, or
/// nothing.
static std::string readStatus(int Fd, StatusFile &Status) {
  struct stat Info;
  if (fstat(Fd, &Info) != 0)
    return std::string("cannot be read: ") + std::strerror(errno);
  if (!S_ISREG(Info.st_mode) ||
      static_cast<uint64_t>(Info.st_size) < sizeof(StatusFile))
    return "is incomplete: the process ended while it made the file";
  constexpr size_t HeadSize = offsetof(StatusFile, Gaps);
  void *Raw = &Status;
  if (!readAt(Fd, Raw, HeadSize, 0))
    return "cannot be read";
  if (Status.Magic != StatusMagic)
    return "is not a status file, or was not finished";
  if (Status.Version != StatusVersion)
    return "has version " + std::to_string(Status.Version) +
           ", this command reads version " + std::to_string(StatusVersion) +
           ": layer and command are of different releases";
  uint64_t Kept =
      std::min<uint64_t>(Status.GapCount.load(), StatusFile::MaxGaps);
  void *RawGaps = Status.Gaps;
  if (!readAt(Fd, RawGaps, Kept * sizeof(Gap), HeadSize))
    return "cannot be read";
  Kept =
      std::min<uint64_t>(Status.FindingCount.load(), StatusFile::MaxFindings);
  void *RawFindings = Status.Findings;
  if (!readAt(Fd, RawFindings, Kept * sizeof(FindingRow),
              offsetof(StatusFile, Findings)))
    return "cannot be read";
  Kept = std::min<uint64_t>(Status.SuppressionCount.load(),
                            StatusFile::MaxSuppressions);
  void *RawSuppressions = Status.Suppressions;
  if (!readAt(Fd, RawSuppressions, Kept * sizeof(SuppressionRow),
              offsetof(StatusFile, Suppressions)))
    return "cannot be read";
  return {};
}

/// Kernels of launches that a process has not waited for, by process and
/// number of the launch.
using LaunchedKernels = std::map<std::pair<uint64_t, uint64_t>, std::string>;

/// The records that remain in record buffers, of which the file names begin
/// with the process's id.
static void addUnread(Summary &Sum,
                      const std::vector<std::filesystem::path> &Files,
                      const LaunchedKernels &Kernels,
                      const AccessPlaces &Places) {
  constexpr size_t Most = 64;
  for (const std::filesystem::path &Path : Files) {
    const UnreadRecords Unread = readUnread(Path);
    Sum.Counters[static_cast<uint32_t>(Counter::records_unread)] +=
        Unread.Count;
    const uint64_t Pid = processOf(Path);
    for (const WsRecord &Record : Unread.Records) {
      if (Sum.Unread.size() == Most)
        return;
      const auto Launched = Kernels.find({Pid, Record.Launch});
      const std::string Kernel =
          Launched == Kernels.end() ? "" : Launched->second;
      const std::string Place =
          Kernel.empty() ? ""
                         : Places.placeOf(Pid, Kernel, Record.Check / WS_TESTS);
      Sum.Unread.push_back(
          {Kernel, bytes(Record.Bytes) + " at byte " +
                       signedNumber(static_cast<int64_t>(Record.Offset)) +
                       " of " + number(Record.Size & WS_SIZE_BITS) +
                       ", work-item " +
                       position({Record.GlobalId[0], Record.GlobalId[1],
                                 Record.GlobalId[2]},
                                3) +
                       (Place.empty() ? "" : ", at " + printable(Place))});
    }
  }
}

Summary readRunDir(const std::string &Directory,
                   std::vector<std::string> &Problems) {
  Summary Sum;
  auto Status = std::make_unique<StatusFile>();
  std::vector<std::filesystem::path> RecordFiles;
  LaunchedKernels Kernels;
  AccessPlaces Places;
  std::error_code Error;
  std::filesystem::directory_iterator Entry(Directory, Error), End;
  for (; !Error && Entry != End; Entry.increment(Error)) {
    std::filesystem::path Path = Entry->path();
    if (Path.extension() == ".records")
      RecordFiles.push_back(Path);
    if (Path.extension() == ".manifest")
      Places.add(Path);
    if (Path.extension() != ".status")
      continue;
    int Fd = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (Fd < 0) {
      Problems.push_back("status file " + Path.string() +
                         " cannot be opened: " + std::strerror(errno));
      continue;
    }
    std::string Problem = readStatus(Fd, *Status);
    close(Fd);
    if (Problem.empty()) {
      addStatus(Sum, *Status);
      for (const RunningRow &Row : Status->Running)
        if (Row.Serial.load() && Row.Launch.load())
          Kernels.emplace(std::pair(Status->Pid, Row.Launch.load()),
                          fieldText(Row.Kernel));
    } else
      Problems.push_back("status file " + Path.string() + " " + Problem);
  }
  std::ranges::sort(RecordFiles);
  addUnread(Sum, RecordFiles, Kernels, Places);
  if (Error)
    Problems.push_back("directory " + Directory +
                       " cannot be read: " + Error.message());
  return Sum;
}

} // namespace warpsan
