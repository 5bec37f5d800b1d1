//===- compiler/server/server.cpp - a compiler that stays loaded ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading libclang and libLLVM costs more than compiling a small kernel. The
// server pays it once; each job runs in a fork, so that a crash, a hang or a
// leak is that job's own. The server has one thread, because only the thread
// that forks lives on in the child.
//
//===----------------------------------------------------------------------===//
#include "compiler/server/server.h"

#include "compiler/frontend/build_options.h"
#include "compiler/pipeline.h"
#include "compiler/process/crash_handler.h"
#include "compiler/process/sandbox.h"
#include "compiler/server/symbolizer.h"
#include "job/job.h"
#include "text/write_all.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;

namespace {

struct Request {
  JobTicket Ticket;
  int JobFile = -1;
  int AnswerFile = -1;
  int Held = -1; ///< held open until the result is written; -1 if not sent
};

enum class Received { Job, Garbage, End };

int PipeOfThisChild = -1; ///< for last words

} // namespace

static void closeAll(const std::vector<int> &Descriptors) {
  for (int Descriptor : Descriptors)
    close(Descriptor);
}

/// Waits for a message. What is not a ticket with two descriptors is dropped,
/// its descriptors closed.
static Received receive(int Socket, Request &Asked) {
  char Bytes[sizeof(JobTicket) + 1]; // one more, to notice a longer message
  iovec Vector = {Bytes, sizeof(Bytes)};
  alignas(cmsghdr) char Control[CMSG_SPACE(16 * sizeof(int))];
  msghdr Message = {};
  Message.msg_iov = &Vector;
  Message.msg_iovlen = 1;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  ssize_t Size;
  do
    Size = recvmsg(Socket, &Message, MSG_CMSG_CLOEXEC);
  while (Size < 0 && errno == EINTR);
  if (Size < 0)
    return Received::End;

  std::vector<int> Descriptors;
  for (cmsghdr *Part = CMSG_FIRSTHDR(&Message); Part;
       Part = CMSG_NXTHDR(&Message, Part))
    if (Part->cmsg_level == SOL_SOCKET && Part->cmsg_type == SCM_RIGHTS) {
      size_t Count = (Part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t I = 0; I < Count; ++I) {
        int Descriptor;
        std::memcpy(&Descriptor, CMSG_DATA(Part) + I * sizeof(int),
                    sizeof(int));
        Descriptors.push_back(Descriptor);
      }
    }
  // An empty message and the end of the stream look alike, and nobody sends
  // empty messages.
  if (Size == 0 && Descriptors.empty())
    return Received::End;
  bool Truncated = Message.msg_flags & (MSG_TRUNC | MSG_CTRUNC);
  if (Size != sizeof(JobTicket) ||
      (Descriptors.size() != 2 && Descriptors.size() != 3) || Truncated) {
    closeAll(Descriptors);
    return Received::Garbage;
  }
  std::memcpy(&Asked.Ticket, Bytes, sizeof(JobTicket));
  Asked.JobFile = Descriptors[0];
  Asked.AnswerFile = Descriptors[1];
  Asked.Held = Descriptors.size() == 3 ? Descriptors[2] : -1;
  return Received::Job;
}

static std::optional<std::string> readWhole(int File) {
  struct stat Status;
  if (fstat(File, &Status) != 0 || Status.st_size < 0)
    return std::nullopt;
  std::string Bytes(static_cast<size_t>(Status.st_size), '\0');
  size_t Done = 0;
  while (Done < Bytes.size()) {
    ssize_t Got = pread(File, Bytes.data() + Done, Bytes.size() - Done,
                        static_cast<off_t>(Done));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return std::nullopt;
    Done += static_cast<size_t>(Got);
  }
  return Bytes;
}

/// What the job may read: what is below the working directory, as long as that
/// is not all there is, and what its options name, and the system's.
static std::vector<std::string> readableFor(const Job &Asking) {
  std::vector<std::string> Readable = systemDirectories();
  if (Asking.Recipe.WorkingDirectory != "/")
    Readable.push_back(".");
  for (const Unit &U : Asking.Recipe.Units) {
    const std::vector<std::string> Words =
        parseBuildOptions(U.Options, "CL1.2").ClangArguments;
    for (size_t I = 0; I + 1 < Words.size(); ++I)
      if (Words[I] == "-I" || Words[I] == "-isystem")
        Readable.push_back(Words[I + 1]);
      else if (Words[I] == "-include")
        Readable.push_back(
            Words[I + 1].substr(0, Words[I + 1].find_last_of('/') + 1));
  }
  return Readable;
}

static CompileResult answer(const Request &Asked) {
  CompileResult Refused;
  if (Asked.Ticket.Version != JobVersion) {
    Refused.Reason = "the layer and warpsan-clc are of different builds";
    return Refused;
  }
  std::optional<std::string> Bytes = readWhole(Asked.JobFile);
  if (!Bytes) {
    Refused.Reason = "warpsan-clc could not read its job";
    return Refused;
  }
  Job Asking;
  if (!fromBytes(*Bytes, Asking)) {
    Refused.Reason = "warpsan-clc was sent a damaged job";
    return Refused;
  }
  // Relative -I paths. A directory that is gone is no reason to give up: most
  // programs include nothing.
  const std::string &Directory = Asking.Recipe.WorkingDirectory;
  if (!Directory.empty() && chdir(Directory.c_str()) != 0)
    setCrashPhase("starting outside the application's directory");
  confine(readableFor(Asking));
  return compile(Asking);
}

static SymbolResult answerSymbols(const Request &Asked) {
  std::optional<std::string> Bytes = readWhole(Asked.JobFile);
  SymbolJob Asking;
  if (Asked.Ticket.Version != JobVersion || !Bytes ||
      !fromBytes(*Bytes, Asking) || Asking.Version != JobVersion)
    return {};
  confine({"/"}); // the program's libraries can be anywhere
  return symbolize(Asking);
}

/// What the ticket asks for, as bytes.
static std::string answerBytes(const Request &Asked) {
  if (Asked.Ticket.What == JobTicket::Kind::Symbolize)
    return toBytes(answerSymbols(Asked));
  CompileResult Made = answer(Asked);
  Made.Log += capturedStandardError();
  return toBytes(Made);
}

[[noreturn]] static void runChild(const Request &Asked) {
  // The server's end, however it comes, is ours.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  limitResources(Asked.Ticket.TimeoutSeconds, Asked.Ticket.MemoryBytes);
  if (Asked.Ticket.TimeoutSeconds)
    alarm(Asked.Ticket.TimeoutSeconds);
  PipeOfThisChild = Asked.AnswerFile;
  // The job must not be able to write to the application's standard error.
  close(captureStandardError());
  installCrashHandler(
      [](const char *Reason) {
        writeRefusal(PipeOfThisChild, Reason);
        _exit(0);
      },
      Asked.Ticket.MemoryBytes);
  std::string Bytes = answerBytes(Asked);
  removeCrashHandler();
  // If it fails, the application is gone: nobody to tell.
  writeAll(Asked.AnswerFile, Bytes);
  _exit(0);
}

/// Forgets all children that have ended.
static void reap(unsigned &Running) {
  while (Running > 0) {
    pid_t Ended = waitpid(-1, nullptr, WNOHANG);
    if (Ended < 0 && errno == EINTR)
      continue;
    if (Ended <= 0)
      return;
    --Running;
  }
}

/// True if the application has gone, whatever jobs of its are still to be read.
/// Waits for it so long, if it must.
static bool isGone(int Socket, int Milliseconds) {
  pollfd Wanted = {Socket, POLLRDHUP, 0};
  return poll(&Wanted, 1, Milliseconds) > 0 &&
         (Wanted.revents & (POLLHUP | POLLRDHUP | POLLERR));
}

int warpsan::serve(int Socket) {
  struct stat Status;
  if (fstat(Socket, &Status) != 0 || !S_ISSOCK(Status.st_mode)) {
    std::fprintf(stderr,
                 "warpsan-clc: --serve %d: descriptor %d is not a socket; the "
                 "layer starts this mode, people use --job or a file\n",
                 Socket, Socket);
    return 2;
  }
  // The application's terminal signals and signal mask are not ours: it may
  // handle Ctrl-C and go on, or have blocked SIGALRM.
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
  for (int Signal : {SIGINT, SIGQUIT, SIGHUP, SIGPIPE})
    signal(Signal, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGALRM, SIG_DFL);

  warmUp();
  unsigned AtOnce =
      static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  unsigned Running = 0;
  while (true) {
    Request Asked;
    Received What = receive(Socket, Asked);
    if (What == Received::End)
      return 0; // children die with us: nobody waits for them
    if (What == Received::Garbage)
      continue;
    reap(Running);
    constexpr int Pause = 5; // ms
    while (Running >= AtOnce && !isGone(Socket, Pause))
      reap(Running);
    if (isGone(Socket, 0))
      return 0;
    pid_t Child = fork();
    if (Child == 0) {
      close(Socket);
      runChild(Asked);
    }
    if (Child > 0)
      ++Running;
    // If fork failed, closing the pipe tells the layer.
    close(Asked.JobFile);
    close(Asked.AnswerFile);
    if (Asked.Held >= 0)
      close(Asked.Held);
  }
}
