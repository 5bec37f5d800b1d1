//===- layer/findings_file.cpp - findings as lines of JSON ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings_file.h"

#include "layer/descriptor.h"
#include "layer/settings.h"
#include "status/status.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <vector>

using namespace warpsan;

/// Absolute, %p still in them.
static auto &Patterns = *new std::vector<std::string>;

void warpsan::chooseFindingsFile() {
  const char *RunFolder = secure_getenv(RunDirVariable);
  std::error_code Error;
  if (!settings().findings_file.empty())
    Patterns.push_back(
        std::filesystem::absolute(settings().findings_file, Error));
  // What `warpsan run` reads when it has a report to write: a findings_file may
  // have lines of other runs.
  if (RunFolder && (Patterns.empty() || !settings().report.empty()))
    Patterns.push_back(std::string(RunFolder) + "/%p.findings");
}

static void append(const std::string &Path, const std::string &Line) {
  // A new file is for its owner: it has lines of source. The application must
  // not hang in a pipe that nobody reads; one that is read may be slow.
  int File = awayFromStreams(open(
      Path.c_str(),
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600));
  if (File >= 0)
    fcntl(File, F_SETFL, fcntl(File, F_GETFL) & ~O_NONBLOCK);
  bool Good = File >= 0 && write(File, Line.data(), Line.size()) ==
                               static_cast<ssize_t>(Line.size());
  const int Error = errno;
  if (File >= 0)
    close(File);
  static std::atomic<bool> Said = false;
  if (!Good && !Said.exchange(true))
    std::fprintf(stderr, "WarpSan: cannot write findings_file %s: %s.\n",
                 Path.c_str(), std::strerror(Error));
}

void warpsan::appendToFindingsFile(const std::string &Line) {
  for (const std::string &Pattern : Patterns)
    append(withProcessId(Pattern), Line);
}
