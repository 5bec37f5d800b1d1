//===- layer/process/descriptor.h - file descriptors in somebody else's
// process ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_DESCRIPTOR_H
#define WARPSAN_LAYER_PROCESS_DESCRIPTOR_H

#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace warpsan {

/// A program may have closed its standard streams, and still print: what it
/// prints must not go into a file of ours that has got such a number. Takes a
/// descriptor, or -1 with errno, and returns one that is not among them, or -1.
inline int awayFromStreams(int File) {
  if (File < 0 || File > STDERR_FILENO)
    return File;
  const int Moved = fcntl(File, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int Error = errno;
  close(File);
  errno = Error;
  return Moved;
}

/// Whether the program has descriptors left when we keep \p File for a while:
/// numbers are given out from the lowest on.
inline bool leavesRoom(int File) {
  constexpr rlim_t Room = 16;
  rlimit Limit;
  return getrlimit(RLIMIT_NOFILE, &Limit) != 0 ||
         static_cast<rlim_t>(File) + Room < Limit.rlim_cur;
}

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_DESCRIPTOR_H
