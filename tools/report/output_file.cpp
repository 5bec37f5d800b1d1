//===- tools/report/output_file.cpp - files that warpsan writes -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/report/output_file.h"

#include "options/options.h"
#include "text/write_all.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

OutputFile::OutputFile(std::string Name)
    : Path(withProcessId(std::move(Name))) {
  if (Path.empty())
    return;
  if (openBeside())
    return;
  Fd = open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Fd < 0)
    Problem = std::strerror(errno);
}

/// Makes Part, if Path is or will be a plain file in a directory that takes new
/// ones. A file that is replaced hands its rights on.
bool OutputFile::openBeside() {
  struct stat Old;
  const bool Exists = lstat(Path.c_str(), &Old) == 0;
  if (Exists && (!S_ISREG(Old.st_mode) || Old.st_nlink > 1 ||
                 truncate(Path.c_str(), 0) != 0))
    return false;
  Part = Path + "." + std::to_string(getpid()) + ".part";
  Fd = open(Part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            0666);
  if (Fd >= 0 && Exists &&
      ((Old.st_uid != geteuid() && fchown(Fd, Old.st_uid, Old.st_gid) != 0) ||
       fchmod(Fd, Old.st_mode & 0777) != 0)) {
    close(Fd);
    unlink(Part.c_str());
    Fd = -1;
  }
  if (Fd < 0)
    Part.clear();
  return Fd >= 0;
}

OutputFile::~OutputFile() {
  if (Fd >= 0)
    close(Fd);
  if (!Part.empty())
    unlink(Part.c_str());
}

void OutputFile::write(std::string_view Text) {
  if (Fd >= 0 && Problem.empty() && !writeAll(Fd, Text))
    Problem = std::strerror(errno);
  if (Part.empty() || !Problem.empty())
    return;
  if (rename(Part.c_str(), Path.c_str()) != 0)
    Problem = std::strerror(errno);
  else
    Part.clear();
}
