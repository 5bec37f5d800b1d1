//===- layer/findings/findings_file.cpp - findings as lines of JSON -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/findings_file.h"

#include "layer/process/counters.h"
#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "status/status.h"
#include "text/format.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

namespace {
/// A file that findings are appended to.
struct AppendedFile {
  std::string Pattern; ///< absolute, %p still in it; empty: there is none
  /// The option that names it. Null: it is in the run's directory, which is
  /// gone if `warpsan run` has ended.
  const char *Option = nullptr;
  std::atomic<bool> Failed = false; ///< and it was said
};
} // namespace

static auto &File = noDestructor<AppendedFile>();
static auto &RunFile = noDestructor<AppendedFile>();
static auto &LogFile = noDestructor<AppendedFile>();

/// Says once that \p To cannot be written, and counts it.
static void noteFailure(AppendedFile &To, const std::string &Path, int Error) {
  if (To.Failed.exchange(true))
    return;
  writeUnsignaled(STDERR_FILENO,
                  std::string("WarpSan: cannot write ") +
                      (To.Option ? To.Option : "findings for warpsan run to") +
                      " " + printable(Path) + ": " + std::strerror(Error) +
                      ".\n");
  addCount(Counter::files_failed);
}

/// Looks whether \p To can be written, without creating it: a program without
/// errors leaves no file.
static void tryFile(AppendedFile &To) {
  if (To.Pattern.empty())
    return;
  const std::filesystem::path Path = withProcessId(To.Pattern);
  struct stat Info;
  const bool Exists = stat(Path.c_str(), &Info) == 0;
  if (Exists && S_ISDIR(Info.st_mode))
    return noteFailure(To, Path, EISDIR);
  const int Wrong = Exists ? faccessat(AT_FDCWD, Path.c_str(), W_OK, AT_EACCESS)
                           : faccessat(AT_FDCWD, Path.parent_path().c_str(),
                                       W_OK | X_OK, AT_EACCESS);
  if (Wrong)
    noteFailure(To, Path, errno);
}

void warpsan::chooseFindingsFile() {
  const char *RunDirectory = secure_getenv(RunDirVariable);
  std::error_code Error;
  if (!settings().findings_file.empty())
    File.Pattern = std::filesystem::absolute(settings().findings_file, Error);
  if (!settings().log_path.empty())
    LogFile.Pattern = std::filesystem::absolute(settings().log_path, Error);
  File.Option = "findings_file";
  LogFile.Option = "log_path";
  // What `warpsan run` reads when it has a report to write: a findings_file may
  // have lines of other runs.
  if (RunDirectory && (File.Pattern.empty() || !settings().report.empty()))
    RunFile.Pattern = std::string(RunDirectory) + "/%p.findings";
  tryFile(File);
  tryFile(LogFile);
}

/// False if there is no such file or it cannot be written.
static bool append(AppendedFile &To, const std::string &Line) {
  if (To.Pattern.empty())
    return false;
  const std::string Path = withProcessId(To.Pattern);
  // The application must not hang in a pipe that nobody reads; one that is
  // read may be slow.
  int Out = awayFromStreams(open(
      Path.c_str(),
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666));
  if (Out >= 0)
    fcntl(Out, F_SETFL, fcntl(Out, F_GETFL) & ~O_NONBLOCK);
  const bool Good = Out >= 0 && writeUnsignaled(Out, Line);
  const int Error = errno;
  if (Out >= 0)
    close(Out);
  if (!Good && (To.Option || Error != ENOENT))
    noteFailure(To, Path, Error);
  return Good;
}

void warpsan::appendToFindingsFile(const std::string &Line) {
  append(File, Line);
  append(RunFile, Line);
}

bool warpsan::appendToLog(const std::string &Text) {
  return append(LogFile, Text);
}
