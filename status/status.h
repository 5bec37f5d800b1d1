//===- status/status.h - what a process under WarpSan leaves behind -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer counts in a file that it maps into memory. `warpsan run` reads
// the file when the process has gone, however it went: exit, _exit, abort or
// a signal. The file has all of its room from the start: a full disk must not
// end the process with SIGBUS.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_STATUS_STATUS_H
#define WARPSAN_STATUS_STATUS_H

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

inline constexpr uint32_t StatusMagic = 0x53505257; // "WRPS"
inline constexpr uint32_t StatusVersion = 21;

enum class Counter : uint32_t {
#define COUNTER(name, meaning) name,
#include "status/counters.def"
#undef COUNTER
  Count
};

/// What a row says of its subject.
enum class GapKind : uint32_t {
  Gap,           ///< it was to be covered, and could not
  Excluded,      ///< it was not to be covered
  Forced,        ///< it was not, but is: leaving it out would change results
  NotNative,     ///< it was proven, but the native kernel may be another one
  RacesUnjudged, ///< its twin does not watch all its memory for data races
};

/// Something that was not covered, and why. Text is cut to fit and always ends
/// in a zero byte.
struct Gap {
  /// Set last, when the texts are complete: a reader skips what is not ready.
  std::atomic<uint32_t> Ready;
  GapKind Kind;
  std::atomic<uint64_t> Launches; ///< launches of which Reason is true
  char Subject[240];              ///< "kernel NAME", "program 3"
  char Reason[504];
};
static_assert(sizeof(Gap) == 760);

/// A finding; equal ones of a process are one row. Text as in Gap.
struct FindingRow {
  std::atomic<uint32_t> Ready;     ///< as in Gap
  uint16_t Cuda;                   ///< 1: its work-items are called threads
  uint16_t Call;                   ///< 1: Kernel is an API call
  std::atomic<uint64_t> Launches;  ///< in which it came
  std::atomic<uint64_t> WorkItems; ///< of all these launches
  char Id[24];                     ///< Finding::Id
  char Fingerprint[24];            ///< Finding::Fingerprint
  char Kernel[240];
  char Title[504];    ///< a report's first line
  char Location[248]; ///< "file:line:column"; empty if not known
  /// Not 0: what follows is complete; set later than Ready.
  std::atomic<uint32_t> Described;
  uint32_t ProgramNumber; ///< of the program in HostLocation; 0: none
  /// "file:line" in the host program: of the wrong call, or where the program
  /// was created if its source has no name; empty if not known.
  char HostLocation[248];
};
static_assert(sizeof(FindingRow) == 1320);

/// A suppression that was of use.
struct SuppressionRow {
  std::atomic<uint32_t> Ready;    ///< as in Gap
  uint32_t Line;                  ///< in its file
  std::atomic<uint64_t> Findings; ///< different ones that it kept back
  std::atomic<uint64_t> Launches; ///< in which any of them came
  std::atomic<uint64_t> Calls;    ///< that any of them is about
  char Text[240];
};
static_assert(sizeof(SuppressionRow) == 272);

/// A launch that is not known to have ended. Text as in Gap.
struct RunningRow {
  std::atomic<uint64_t> Serial; ///< goes up; 0: none. Set last, cleared first.
  std::atomic<uint64_t> Queue;  ///< its handle
  std::atomic<uint64_t> Event;  ///< the application's; 0: it has none
  std::atomic<uint64_t> Launch; ///< WsRecord::Launch; 0: it writes no records
  char Kernel[96];
};
static_assert(sizeof(RunningRow) == 128);

struct StatusFile {
  static constexpr uint32_t MaxCounters = 128;
  static constexpr uint32_t MaxGaps = 4096;
  static constexpr uint32_t MaxFindings = 4096;
  static constexpr uint32_t MaxSuppressions = 1024;
  static constexpr uint32_t MaxRunning = 64;

  uint32_t Magic;
  uint32_t Version;
  uint64_t Pid;
  char Program[240]; ///< the executable's name
  std::atomic<uint64_t> Counters[MaxCounters];
  /// Gaps that were recorded; more than MaxGaps means the rest was lost, and
  /// the summary says so.
  std::atomic<uint64_t> GapCount;
  std::atomic<uint64_t> FindingCount;     ///< likewise
  std::atomic<uint64_t> SuppressionCount; ///< likewise
  /// The last launches, by serial modulo MaxRunning. None once the process ends
  /// by exit.
  RunningRow Running[MaxRunning];
  Gap Gaps[MaxGaps];
  FindingRow Findings[MaxFindings];
  SuppressionRow Suppressions[MaxSuppressions];
};
static_assert(static_cast<uint32_t>(Counter::Count) <= StatusFile::MaxCounters);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// The environment variable by which `warpsan run` says in which directory each
/// process makes its status file, "<pid>.<n>.status".
inline constexpr const char *RunDirVariable = "WARPSAN_RUN_DIR";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The status files of a run, added up.
struct Summary {
  struct GapLine {
    std::string Subject;
    std::string Reason;
    uint64_t Launches = 0;
    GapKind Kind = GapKind::Gap;
  };
  struct FindingLine {
    std::string Id;
    std::string Kernel;
    std::string Title;
    uint64_t Launches = 0;
    uint64_t WorkItems = 0;
    bool Cuda = false;             ///< they are called threads
    std::string Fingerprint = {};  ///< empty if an older release wrote it
    bool Call = false;             ///< Kernel is an API call
    std::string Location = {};     ///< FindingRow::Location
    std::string HostLocation = {}; ///< FindingRow::HostLocation
    uint64_t ProgramNumber = 0;    ///< FindingRow::ProgramNumber
  };
  struct SuppressionLine {
    uint32_t Line = 0;
    std::string Text;
    uint64_t Findings = 0;
    uint64_t Launches = 0;
    uint64_t Calls = 0;
  };
  /// A kernel that was launched and not waited for by a process that did not
  /// end by exit.
  struct RunningLine {
    std::string Kernel;
    uint64_t Launches = 0;
  };
  /// A failed check that its process had no time to report.
  struct UnreadLine {
    std::string Kernel; ///< empty: not known
    std::string What;   ///< "4 bytes at byte 64 of 64, work-item (0, 0, 0)"
  };
  uint64_t Processes = 0;               ///< that loaded the layer
  std::vector<std::string> Executables; ///< their names, each once
  uint64_t Counters[static_cast<uint32_t>(Counter::Count)] = {};
  std::vector<GapLine> Gaps; ///< of all kinds; equal ones are merged
  uint64_t GapsLost = 0;
  std::vector<FindingLine> Findings; ///< equal ones are merged
  uint64_t FindingsLost = 0;         ///< those without a row
  std::string SuppressionsFile;      ///< as the user named it; empty: none
  std::vector<SuppressionLine> Suppressions; ///< by line, those unused too
  uint64_t SuppressionsLost = 0;             ///< that were used, uncounted
  std::vector<RunningLine> Running;          ///< the last launch first
  std::vector<UnreadLine> Unread;            ///< some of records_unread
  /// How the program that `warpsan run` started ended; neither is set if the
  /// layer tells its own summary.
  std::optional<int> ExitCode;
  std::optional<int> Signal;
  bool NoDriver = false; ///< no process has the layer, nor is there a driver
  /// With NoDriver: the variable that says where to look for one,
  /// "OCL_ICD_VENDORS=/nowhere"; empty: none does.
  std::string DriversIn;

  uint64_t operator[](Counter Which) const {
    return Counters[static_cast<uint32_t>(Which)];
  }
};

/// Adds one status to \p Sum.
void addStatus(Summary &Sum, const StatusFile &Status);

/// Reads every status file and every record buffer in \p Directory. Files that
/// are no status file of this version are skipped and named in \p Problems.
Summary readRunDir(const std::string &Directory,
                   std::vector<std::string> &Problems);

/// Adds \p More to \p Sum, equal lines merged. Of the endings the first that
/// was no success is kept.
void addSummary(Summary &Sum, const Summary &More);

inline constexpr const char *SummarySchema = "warpsan-summary/3";

/// What summaryJson wrote, or why it cannot be read. Fields that are not known
/// are ignored; one that is missing in an older file is 0.
struct ReadSummary {
  Summary Sum;
  std::string Problem; ///< empty: it could be read
};
ReadSummary readSummary(std::string_view Text);

/// Says which suppressions \p File has: unused ones are listed too.
void nameSuppressions(Summary &Sum, const std::string &File,
                      std::vector<Summary::SuppressionLine> All);

/// True if a check failed, even if its details are unavailable.
bool hasErrors(const Summary &Sum);

/// Empty if every launch ran as a twin with checks, was proven, or was not to
/// be checked, and at least one was; otherwise what require_coverage objects
/// to, in one sentence.
std::string coverageProblem(const Summary &Sum);

/// "signal 11 (Segmentation fault) ended the program", or empty if no signal
/// did.
std::string endingOf(const Summary &Sum);

/// What a checked run has to say besides its errors, a sentence each.
std::vector<std::string> remarksOf(const Summary &Sum);

/// The closing summary, several lines, each ending in a newline. \p Verbosity
/// is the option's: 2 adds where the time went. \p Reports: files that have the
/// findings in full, %p for the process ids of the program.
std::string summaryText(const Summary &Sum, int64_t Verbosity = 1,
                        const std::vector<std::string> &Reports = {});

/// As JSON (docs/reference/formats/summary.md); \p OneLine: no line breaks.
std::string summaryJson(const Summary &Sum, bool OneLine = false);

} // namespace warpsan

#endif // WARPSAN_STATUS_STATUS_H
