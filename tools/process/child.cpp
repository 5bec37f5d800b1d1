//===- tools/process/child.cpp - a program started in the foreground ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program stays in our process group, as it would be without us: the
// terminal's signals (Ctrl-C, Ctrl-Z, hang-up) reach it directly, so only
// signals that were sent to us alone are passed on. When it stops, we stop, so
// that the shell sees the job as stopped.
//
//===----------------------------------------------------------------------===//
#include "tools/process/child.h"

#include "tools/run/progress.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;

namespace {

constexpr int PassedOn[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                            SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

/// What this process was started with; the program gets it unchanged.
struct Inherited {
  sigset_t Mask;
  struct sigaction OnChild;
};

/// True if \p Process is stopped now. A signal to the whole group has reached
/// every member before any of them runs again, so this tells whether SIGCONT
/// was for us alone.
bool isStopped(pid_t Process) {
  std::ifstream File("/proc/" + std::to_string(Process) + "/stat");
  std::string Line;
  std::getline(File, Line);
  // "pid (name) S ...": the name may hold anything, ')' included.
  size_t End = Line.rfind(')');
  return End != std::string::npos && End + 2 < Line.size() &&
         Line[End + 2] == 'T';
}

bool inForegroundOfTerminal() {
  int Terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (Terminal < 0)
    return false;
  bool Foreground = tcgetpgrp(Terminal) == getpgrp();
  close(Terminal);
  return Foreground;
}

/// Called in the new process: nothing here may allocate or return.
[[noreturn]] void becomeProgram(char *const *Words, const Inherited &Before,
                                int ErrorPipe) {
  sigaction(SIGCHLD, &Before.OnChild, nullptr);
  sigprocmask(SIG_SETMASK, &Before.Mask, nullptr);
  execvp(Words[0], Words);
  int Error = errno;
  // Nobody to tell if this fails; the exit code says it too.
  (void)!write(ErrorPipe, &Error, sizeof(Error));
  _exit(127);
}

/// The errno of a failed exec, or nothing once exec has closed the pipe.
std::optional<int> startError(int ErrorPipe) {
  int Error = 0;
  ssize_t Got;
  do
    Got = read(ErrorPipe, &Error, sizeof(Error));
  while (Got < 0 && errno == EINTR);
  if (Got == sizeof(Error))
    return Error;
  return std::nullopt;
}

/// Waits for the end of \p Program; the signals of \p Set are blocked.
Ending passSignalsUntilEnd(pid_t Program, const sigset_t &Set,
                           Progress *Watching) {
  constexpr auto Pause =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Progress::Every);
  const timespec Timeout = {0, Pause.count()};
  for (;;) {
    siginfo_t Info;
    int Signal = sigtimedwait(&Set, &Info, Watching ? &Timeout : nullptr);
    if (Signal < 0) {
      // EAGAIN: nothing happened; EINTR: we were stopped and continued.
      if (errno == EAGAIN)
        Watching->look();
      continue;
    }

    if (Signal == SIGCHLD) {
      int Status = 0;
      // Several changes may have come as one SIGCHLD.
      while (waitpid(Program, &Status, WNOHANG | WUNTRACED) == Program) {
        Ending End;
        if (WIFEXITED(Status)) {
          End.ExitCode = WEXITSTATUS(Status);
          return End;
        }
        if (WIFSIGNALED(Status)) {
          End.Signal = WTERMSIG(Status);
          return End;
        }
        // SIGSTOP is also sent from outside, to the program alone; then there
        // is no shell to tell.
        if (WSTOPSIG(Status) != SIGSTOP || inForegroundOfTerminal())
          kill(getpid(), SIGSTOP);
      }
      continue;
    }
    if (Signal == SIGCONT) {
      if (isStopped(Program))
        kill(Program, SIGCONT);
      continue;
    }
    // SI_KERNEL: from the terminal, to the whole group. From the program
    // itself: it signaled its group, or its parent, and does not want it back.
    if (Info.si_code != SI_KERNEL && Info.si_pid != Program)
      kill(Program, Signal);
  }
}

} // namespace

void warpsan::guardStandardDescriptors() {
  for (int Descriptor = 0; Descriptor <= 2; ++Descriptor)
    if (fcntl(Descriptor, F_GETFD) < 0)
      // The lowest free descriptor is this one. It is closed again by exec:
      // the program finds it as it was.
      (void)!open("/dev/null", O_RDWR | O_CLOEXEC);
}

Ending warpsan::runInForeground(char *const *Words, Progress *Watching) {
  Ending Failed;
  int ErrorPipe[2];
  if (pipe2(ErrorPipe, O_CLOEXEC) != 0) {
    Failed.StartError = errno;
    return Failed;
  }

  // Blocked before the program starts, so that none is lost in between.
  Inherited Before;
  sigset_t Set;
  sigemptyset(&Set);
  for (int Signal : PassedOn)
    sigaddset(&Set, Signal);
  sigaddset(&Set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &Set, &Before.Mask);
  // A parent may have left SIGCHLD ignored; then there is nothing to wait for.
  struct sigaction Default = {};
  Default.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &Default, &Before.OnChild);

  std::fflush(nullptr);
  pid_t Program = fork();
  if (Program == 0)
    becomeProgram(Words, Before, ErrorPipe[1]);
  if (Program < 0)
    Failed.StartError = errno;
  close(ErrorPipe[1]);
  if (Program > 0)
    Failed.StartError = startError(ErrorPipe[0]);
  close(ErrorPipe[0]);
  if (Failed.StartError) {
    if (Program > 0)
      waitpid(Program, nullptr, 0);
    return Failed;
  }

  // A reader of our stderr that has gone must not cost the exit code.
  std::signal(SIGPIPE, SIG_IGN);
  return passSignalsUntilEnd(Program, Set, Watching);
}

void warpsan::dieOfSignal(int Signal) {
  std::fflush(nullptr);
  struct rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  prctl(PR_SET_DUMPABLE, 0); // also where cores go to a program
  struct sigaction Default = {};
  Default.sa_handler = SIG_DFL;
  sigaction(Signal, &Default, nullptr);
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, Signal);
  sigprocmask(SIG_UNBLOCK, &Set, nullptr);
  raise(Signal);
  _exit(128 + Signal);
}
