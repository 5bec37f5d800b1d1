//===- tools/process/subprocess.cpp - work that may crash, hang or exit ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/process/subprocess.h"

#include "text/write_all.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;

/// Bytes of output that are kept: its end says why a process died.
static constexpr off_t KeptOutput = 4096;

static std::string readBack(int Fd, off_t Most) {
  struct stat Info;
  if (fstat(Fd, &Info) != 0)
    return {};
  off_t From = Info.st_size > Most ? Info.st_size - Most : 0;
  std::string Text(static_cast<size_t>(Info.st_size - From), '\0');
  ssize_t Got = pread(Fd, Text.data(), Text.size(), From);
  Text.resize(Got > 0 ? static_cast<size_t>(Got) : 0);
  return Text;
}

static std::string describe(int Status) {
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0)
    return {};
  if (WIFEXITED(Status))
    return "exited with code " + std::to_string(WEXITSTATUS(Status));
  return "was killed by signal " + std::to_string(WTERMSIG(Status)) + " (" +
         strsignal(WTERMSIG(Status)) + ")";
}

/// The child's side. Exits as a program would, so that a driver that fails at
/// exit is seen.
[[noreturn]] static void doWork(const std::function<std::string()> &Work,
                                pid_t Parent, int Result, int Output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(1);
  struct rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  int Null = open("/dev/null", O_RDONLY);
  dup2(Null, STDIN_FILENO);
  dup2(Output, STDOUT_FILENO);
  dup2(Output, STDERR_FILENO);
  if (!writeAll(Result, Work()))
    _exit(1);
  std::exit(0);
}

GuardedResult warpsan::runGuarded(const std::function<std::string()> &Work,
                                  double Seconds) {
  using Clock = std::chrono::steady_clock;
  GuardedResult R;
  int Result = memfd_create("result", MFD_CLOEXEC);
  int Output = memfd_create("output", MFD_CLOEXEC);
  std::fflush(nullptr); // the child must not write our buffers again
  pid_t Parent = getpid();
  auto Start = Clock::now();
  pid_t Child = Result < 0 || Output < 0 ? -1 : fork();
  if (Child == 0)
    doWork(Work, Parent, Result, Output);
  if (Child < 0) {
    R.Problem = std::string("cannot be started: ") + std::strerror(errno);
  } else {
    int Status = 0;
    bool TimedOut = false;
    for (;;) {
      pid_t Ended = waitpid(Child, &Status, TimedOut ? 0 : WNOHANG);
      if (Ended == Child || (Ended < 0 && errno != EINTR))
        break;
      R.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
      if (Ended == 0 && R.Seconds > Seconds) {
        TimedOut = true;
        kill(-Child, SIGKILL); // with whatever it has started
        kill(Child, SIGKILL);
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
    R.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
    R.Bytes = readBack(Result, off_t(1) << 30);
    R.Output = readBack(Output, KeptOutput);
    R.Problem = TimedOut ? "did not end within " +
                               std::to_string(static_cast<long>(Seconds)) +
                               " s and was killed"
                         : describe(Status);
  }
  if (Result >= 0)
    close(Result);
  if (Output >= 0)
    close(Output);
  return R;
}
