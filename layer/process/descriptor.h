//===- layer/process/descriptor.h - file descriptors in somebody else's
// process ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_DESCRIPTOR_H
#define WARPSAN_LAYER_PROCESS_DESCRIPTOR_H

#include "text/write_all.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <string_view>
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

/// As writeAll(), without SIGPIPE if nobody reads any more: the program may
/// never write there itself, and must not end because we do.
inline bool writeUnsignaled(int File, std::string_view Bytes) {
  sigset_t Pipe, Before, Pending;
  sigemptyset(&Pipe);
  sigaddset(&Pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &Pipe, &Before);
  const bool WasPending =
      sigpending(&Pending) == 0 && sigismember(&Pending, SIGPIPE);
  const bool Good = writeAll(File, Bytes);
  const int Error = errno;
  if (!Good && Error == EPIPE && !WasPending) {
    const timespec AtOnce = {};
    while (sigtimedwait(&Pipe, nullptr, &AtOnce) < 0 && errno == EINTR)
      ;
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  errno = Error;
  return Good;
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
