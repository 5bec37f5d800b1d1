//===- layer/process/run_file.cpp - memory that outlives the process ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/run_file.h"

#include "layer/process/descriptor.h"
#include "status/status.h"
#include "text/write_all.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <sys/mman.h>

using namespace warpsan;

/// Makes \p File so long, with room for all of it: a page of a mapping that
/// finds the disk full when it is written to would end the process (SIGBUS).
static bool makeRoom(int File, size_t Size) {
  return ftruncate(File, static_cast<off_t>(Size)) == 0 &&
         (fallocate(File, 0, 0, static_cast<off_t>(Size)) == 0 ||
          errno == EOPNOTSUPP);
}

/// A new file in the run's directory, or -1. A number may be taken: a process
/// keeps its own when it becomes another program by exec.
static int createFile(const char *Ending) {
  static std::atomic<unsigned> Serial = 0;
  const char *Directory = secure_getenv(RunDirVariable);
  for (int Try = 0; Directory && Try < 1000; ++Try) {
    const std::string Path = std::string(Directory) + "/" +
                             std::to_string(getpid()) + "." +
                             std::to_string(Serial++) + Ending;
    int File = open(Path.c_str(),
                    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (File >= 0 || errno != EEXIST)
      return awayFromStreams(File);
  }
  return -1;
}

void warpsan::writeRunFile(const char *Ending, std::string_view Text) {
  constexpr size_t MaxBytes = size_t(64) << 20;
  static std::atomic<size_t> Written = 0;
  if (!secure_getenv(RunDirVariable) ||
      Written.fetch_add(Text.size()) + Text.size() > MaxBytes)
    return;
  const int File = createFile(Ending);
  if (File < 0)
    return;
  writeAll(File, Text); // if it fails, a reader finds an incomplete file
  close(File);
}

void *warpsan::mapRunFile(const char *Ending, size_t Size) {
  const int File = createFile(Ending);
  const bool InFile = File >= 0 && makeRoom(File, Size);
  void *Memory =
      mmap(nullptr, Size, PROT_READ | PROT_WRITE,
           InFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
           InFile ? File : -1, 0);
  if (File >= 0)
    close(File);
  return Memory == MAP_FAILED ? nullptr : Memory;
}
