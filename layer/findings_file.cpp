//===- layer/findings_file.cpp - findings as lines of JSON ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings_file.h"

#include "layer/settings.h"
#include "status/status.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace warpsan;

/// Absolute, %p still in them.
static auto &Patterns = *new std::vector<std::string>;

void warpsan::chooseFindingsFile() {
  const char *RunFolder = std::getenv(RunDirVariable);
  std::error_code Error;
  if (!settings().findings_file.empty())
    Patterns.push_back(
        std::filesystem::absolute(settings().findings_file, Error));
  // What `warpsan run` reads when it has a report to write: a findings_file may
  // have lines of other runs.
  if (RunFolder && (Patterns.empty() || !settings().report.empty()))
    Patterns.push_back(std::string(RunFolder) + "/%p.findings");
}

/// A forked child has a number of its own.
static std::string pathNow(std::string Path) {
  const std::string Pid = std::to_string(getpid());
  for (size_t At = 0; (At = Path.find("%p", At)) != std::string::npos;
       At += Pid.size())
    Path.replace(At, 2, Pid);
  return Path;
}

static void append(const std::string &Path, const std::string &Line) {
  int File = open(Path.c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  bool Good = File >= 0 && write(File, Line.data(), Line.size()) ==
                               static_cast<ssize_t>(Line.size());
  const int Error = errno;
  if (File >= 0)
    close(File);
  static bool Said = false; // callers take turns
  if (!Good && !std::exchange(Said, true))
    std::fprintf(stderr, "WarpSan: cannot write findings_file %s: %s.\n",
                 Path.c_str(), std::strerror(Error));
}

void warpsan::appendToFindingsFile(const std::string &Line) {
  for (const std::string &Pattern : Patterns)
    append(pathNow(Pattern), Line);
}
