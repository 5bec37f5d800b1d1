//===- layer/twin/compiler_process.cpp - warpsan-clc, started and spoken
// to ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/compiler_process.h"

#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "text/write_all.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

namespace {
/// What the two short-lived children need, prepared before the first clone:
/// they share our memory, so they may not allocate nor take locks.
struct Launch {
  const char *Path;
  int Socket;
  char *SecondStack; ///< its upper end
  bool Failed = false;
};
} // namespace

/// The C library's clone by its other name: ThreadSanitizer, in a program that
/// is built with it, intercepts the usual one and does not expect a clone in a
/// clone that shares memory.
extern "C" int __clone(int (*)(void *), void *, int, // NOLINT
                       void *, ...);

/// The descriptor number that the server serves.
static constexpr int ServerDescriptor = 3;

/// Becomes the compiler. Runs in our memory until execve, with all signals
/// blocked. By the kernel's own calls: a sanitizer that the application is
/// built with keeps books of descriptors and handlers in that memory, and would
/// take what is done here for the application's.
static int becomeCompiler(void *Data) {
  auto *L = static_cast<Launch *>(Data);
  // The application's handlers must not run here; what it ignores, it may
  // have asked its children to ignore, but a compiler should not.
  constexpr size_t SetSize = NSIG / 8;
  const unsigned long Default[4] = {}; // SIG_DFL, no flags, none blocked
  for (int Signal = 1; Signal < NSIG; ++Signal)
    syscall(SYS_rt_sigaction, Signal, Default, nullptr, SetSize);
  syscall(SYS_setsid); // Ctrl-C is for the application
  long Null = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  if (Null >= 0)
    for (int Standard : {0, 1, 2})
      syscall(SYS_dup3, Null, Standard, 0);
  // Onto itself, it would keep close-on-exec set.
  long Socket = L->Socket;
  if (Socket == ServerDescriptor)
    Socket = syscall(SYS_fcntl, Socket, F_DUPFD, ServerDescriptor + 1);
  if (syscall(SYS_dup3, Socket, ServerDescriptor, 0) >= 0) {
    syscall(SYS_close_range, ServerDescriptor + 1, ~0U, 0);
    const unsigned long None = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &None, nullptr, SetSize);
    const char *Arguments[] = {L->Path, "--serve", "3", nullptr};
    const char *Environment[] = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin",
                                 nullptr};
    execve(L->Path, const_cast<char *const *>(Arguments),
           const_cast<char *const *>(Environment));
  }
  L->Failed = true;
  _exit(127);
}

/// The process in between: its only purpose is to die, so that the compiler is
/// nobody's child.
static int becomeOrphanMaker(void *Data) {
  auto *L = static_cast<Launch *>(Data);
  int Pid = __clone(becomeCompiler, L->SecondStack,
                    CLONE_VM | CLONE_VFORK | SIGCHLD, Data);
  if (Pid < 0)
    L->Failed = true;
  _exit(0);
}

/// Starts the server with its end of a socket pair. Returns false and leaves
/// errno on failure. The first clone has no exit signal: waitpid(-1) of the
/// application does not see it, and no SIGCHLD is sent.
static bool spawnServer(const char *Path, int Socket) {
  constexpr size_t StackSize = 64 << 10;
  auto *Stacks =
      static_cast<char *>(mmap(nullptr, 2 * StackSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0));
  if (Stacks == MAP_FAILED)
    return false;
  Launch L{Path, Socket, Stacks + 2 * StackSize};

  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  int Pid = __clone(becomeOrphanMaker, Stacks + StackSize,
                    CLONE_VM | CLONE_VFORK, &L);
  int Error = errno;
  if (Pid > 0)
    while (waitpid(Pid, nullptr, __WCLONE) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  munmap(Stacks, 2 * StackSize);
  errno = Error;
  return Pid > 0 && !L.Failed;
}

//===----------------------------------------------------------------------===//
// Speaking
//===----------------------------------------------------------------------===//

namespace {
/// Our end of the socket to the server of this process.
class Server {
public:
  /// Sends a ticket with its descriptors, starting the server first if it
  /// is not there. Returns why not, or an empty string. Under Mutex.
  std::string send(const JobTicket &Ticket, const int (&Descriptors)[3]);

  /// A forked child starts a server of its own. Under Mutex.
  void disconnect() {
    if (Socket >= 0)
      close(Socket);
    Socket = -1;
    Started = 0;
  }

  /// Short: sending does not wait for the job. No fork comes while it is held,
  /// so a child never has an end of a pipe whose closing means something.
  std::mutex Mutex;

private:
  std::string connect();

  int Socket = -1;
  int Started = 0; ///< how often; a compiler that keeps dying is given up
};
} // namespace

static bool sendTicket(int Socket, const JobTicket &Ticket,
                       const int (&Descriptors)[3]) {
  iovec Data{const_cast<JobTicket *>(&Ticket), sizeof(Ticket)};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(Descriptors))] = {};
  msghdr Message = {};
  Message.msg_iov = &Data;
  Message.msg_iovlen = 1;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  cmsghdr *Head = CMSG_FIRSTHDR(&Message);
  Head->cmsg_level = SOL_SOCKET;
  Head->cmsg_type = SCM_RIGHTS;
  Head->cmsg_len = CMSG_LEN(sizeof(Descriptors));
  std::memcpy(CMSG_DATA(Head), Descriptors, sizeof(Descriptors));
  ssize_t Sent;
  do
    Sent = sendmsg(Socket, &Message, MSG_NOSIGNAL);
  while (Sent < 0 && errno == EINTR);
  return Sent == sizeof(Ticket);
}

static constexpr const char *TooFewFiles =
    "too few file descriptors are left for warpsan-clc (ulimit -n)";

static void closeAll(std::initializer_list<int> Files) {
  for (int Each : Files)
    if (Each >= 0)
      close(Each);
}

std::string Server::connect() {
  constexpr int MaxStarts = 4;
  const std::string &Path = compilerPath();
  if (Path.empty())
    return "warpsan-clc was not found beside the layer (option compiler)";
  if (Started >= MaxStarts)
    return "warpsan-clc went away " + std::to_string(MaxStarts) +
           " times and was given up";
  int Pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Pair) != 0)
    return std::string("no socket for warpsan-clc: ") + std::strerror(errno);
  Pair[0] = awayFromStreams(Pair[0]);
  Pair[1] = awayFromStreams(Pair[1]);
  if (Pair[0] < 0 || Pair[1] < 0 || !leavesRoom(Pair[0])) {
    closeAll({Pair[0], Pair[1]});
    return TooFewFiles;
  }
  ++Started;
  bool Good = spawnServer(Path.c_str(), Pair[1]);
  int Error = errno;
  close(Pair[1]);
  if (!Good) {
    close(Pair[0]);
    return "warpsan-clc could not be started (" + Path +
           "): " + std::strerror(Error);
  }
  Socket = Pair[0];
  return {};
}

std::string Server::send(const JobTicket &Ticket, const int (&Descriptors)[3]) {
  // Once more if the server that we know has died since the last job.
  for (int Try = 0; Try < 2; ++Try) {
    if (Socket < 0)
      if (std::string Why = connect(); !Why.empty())
        return Why;
    if (sendTicket(Socket, Ticket, Descriptors))
      return {};
    close(Socket);
    Socket = -1;
  }
  return "warpsan-clc does not take jobs";
}

static Server &server() {
  static Server &Only = []() -> Server & {
    static Server &Instance = noDestructor<Server>();
    // The server ends when nobody has the socket any more, so a forked child
    // must not: it may live for days and never build a program.
    pthread_atfork([] { Instance.Mutex.lock(); },
                   [] { Instance.Mutex.unlock(); },
                   [] {
                     Instance.disconnect();
                     Instance.Mutex.unlock();
                   });
    return Instance;
  }();
  return Only;
}

std::string warpsan::startJob(const std::string &Bytes, RunningJob &Job,
                              JobTicket::Kind What) {
  JobTicket Ticket;
  Ticket.What = What;
  Ticket.TimeoutSeconds = static_cast<uint32_t>(settings().compile_seconds);
  // Names are worth a wait, but a shorter one.
  constexpr uint32_t MaxForSymbols = 20;
  if (What == JobTicket::Kind::Symbolize)
    Ticket.TimeoutSeconds = MaxForSymbols;
  Ticket.MemoryBytes = static_cast<uint64_t>(settings().compile_mb) << 20;
  std::unique_lock Lock(server().Mutex);
  int Asked = awayFromStreams(memfd_create("warpsan-job", MFD_CLOEXEC));
  int Answer = awayFromStreams(memfd_create("warpsan-product", MFD_CLOEXEC));
  int Pipe[2] = {-1, -1};
  std::string Why;
  if (Asked < 0 || Answer < 0 || !writeAll(Asked, Bytes) ||
      pipe2(Pipe, O_CLOEXEC) != 0)
    Why = std::string("no file for a job: ") + std::strerror(errno);
  for (int &Each : Pipe)
    Each = awayFromStreams(Each);
  if (Why.empty() && (Pipe[0] < 0 || Pipe[1] < 0 ||
                      !leavesRoom(std::max({Asked, Answer, Pipe[0], Pipe[1]}))))
    Why = TooFewFiles;
  if (Why.empty())
    Why = server().send(Ticket, {Asked, Answer, Pipe[1]});
  closeAll({Asked, Pipe[1]});
  Lock.unlock();
  // The job's clock starts when the server gets to it; a queue of jobs before
  // it may use as much again.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Deadline =
      Ticket.TimeoutSeconds
          ? Clock::now() + std::chrono::seconds(2 * Ticket.TimeoutSeconds + 10)
          : Clock::time_point::max();
  RunningJob Running(Answer, Pipe[0], Deadline);
  if (Why.empty())
    Job = std::move(Running);
  return Why;
}

RunningJob &RunningJob::operator=(RunningJob &&Other) noexcept {
  std::swap(Answer, Other.Answer);
  std::swap(Held, Other.Held);
  std::swap(Deadline, Other.Deadline);
  return *this;
}

RunningJob::~RunningJob() {
  if (Answer >= 0)
    close(Answer);
  if (Held >= 0)
    close(Held);
}

/// Waits until the compiler lets go of the pipe. Returns false if it does not
/// in time.
static bool awaitClosing(int Pipe,
                         std::chrono::steady_clock::time_point Deadline) {
  for (;;) {
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
                    Deadline - std::chrono::steady_clock::now())
                    .count();
    if (Left <= 0)
      return false;
    pollfd Wanted{Pipe, POLLIN, 0};
    const int Ready =
        poll(&Wanted, 1, static_cast<int>(std::min<long>(Left, 60000)));
    if (Ready > 0)
      return true;
    if (Ready < 0 && errno != EINTR)
      return false;
  }
}

static std::string readWhole(int File) {
  struct stat Info;
  std::string Bytes;
  if (fstat(File, &Info) == 0)
    Bytes.resize(Info.st_size);
  size_t Have = 0;
  while (Have < Bytes.size()) {
    ssize_t Got = pread(File, Bytes.data() + Have, Bytes.size() - Have,
                        static_cast<off_t>(Have));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      break;
    Have += Got;
  }
  Bytes.resize(Have);
  return Bytes;
}

bool RunningJob::wait(CompileResult &Result) {
  if (!awaitClosing(Held, Deadline)) {
    Result.Reason = "warpsan-clc took too long (option compile_seconds)";
    return false;
  }
  std::string Bytes = readWhole(Answer);
  if (fromBytes(Bytes, Result) && Result.Version == JobVersion)
    return true;
  Result = CompileResult();
  Result.Reason =
      Bytes.empty()
          ? "warpsan-clc crashed, or exceeded compile_seconds or compile_mb"
          : "warpsan-clc answered something else than a product";
  return false;
}

bool RunningJob::wait(SymbolResult &Result) {
  return awaitClosing(Held, Deadline) && fromBytes(readWhole(Answer), Result) &&
         Result.Version == JobVersion;
}
