//===- compiler/process/sandbox.cpp - what a job of the compiler may do ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/process/sandbox.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;

#ifdef WARPSAN_SANITIZED
static constexpr bool Sanitized = true;
#else
static constexpr bool Sanitized = false;
#endif

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static void limit(int What, rlim_t Most) {
  rlimit Now;
  if (getrlimit(static_cast<__rlimit_resource>(What), &Now) != 0)
    return;
  Most = std::min(Most, Now.rlim_max); // it can only be lowered
  Now = {Most, Most};
  setrlimit(static_cast<__rlimit_resource>(What), &Now);
}

void warpsan::limitResources(uint32_t Seconds, uint64_t MemoryBytes) {
  limit(RLIMIT_CORE, 0);
  // Files that includes may have open at once, and how large a result may be.
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_FSIZE, MemoryBytes ? MemoryBytes : rlim_t(4) << 30);
  // A file that is too large fails to be written, rather than ends us.
  signal(SIGXFSZ, SIG_IGN);
  if (MemoryBytes && !Sanitized)
    limit(RLIMIT_AS, MemoryBytes);
  // The alarm comes first, and by the real time; nothing puts this off.
  constexpr rlim_t Grace = 5;
  if (Seconds)
    limit(RLIMIT_CPU, Seconds + Grace);
}

//===----------------------------------------------------------------------===//
// System calls
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
namespace {

/// Those that are always allowed; the ones that come often first.
constexpr int Allowed[] = {
    SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_newfstatat, SYS_munmap,
    SYS_brk, SYS_futex, SYS_madvise, SYS_pread64, SYS_lseek, SYS_mremap,
    // Files, to look at
    SYS_stat, SYS_lstat, SYS_statx, SYS_access, SYS_faccessat, SYS_faccessat2,
    SYS_readlink, SYS_readlinkat, SYS_getcwd, SYS_chdir, SYS_getdents64,
    SYS_statfs, SYS_fstatfs, SYS_fadvise64, SYS_dup, SYS_dup2, SYS_dup3,
    SYS_readv, SYS_writev, SYS_pwrite64,
    // Signals of our own, and the end
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_exit, SYS_exit_group,
    // Threads, where LLVM wants some
    SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_membarrier,
    // What time it is, and who we are
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
    SYS_gettimeofday, SYS_time, SYS_times, SYS_getrusage, SYS_getrlimit,
    SYS_sysinfo, SYS_uname, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid,
    SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrandom};

/// A program for the kernel's filter, as it grows.
class Filter {
public:
  void add(uint16_t Code, uint32_t K, uint8_t True = 0, uint8_t False = 0) {
    Program[Size++] = {Code, True, False, K};
  }
  void load(size_t Offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(Offset));
  }
  /// The lower half of an argument; the upper half does not count for int.
  void loadArgument(unsigned Number) {
    load(offsetof(seccomp_data, args) + Number * sizeof(uint64_t));
  }
  void answer(uint32_t Action) { add(BPF_RET | BPF_K, Action); }
  void allow() { answer(SECCOMP_RET_ALLOW); }
  void refuse(int Error) { answer(SECCOMP_RET_ERRNO | Error); }
  /// The next \p Length instructions are for this call only; they end with an
  /// answer.
  void onlyFor(int Call, uint8_t Length) {
    add(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, Length);
  }
  /// \p Call if its argument has none of \p Bits.
  void allowWithout(int Call, unsigned Argument, uint32_t Bits, int Else) {
    allowIf(Call, Argument, BPF_JSET, Bits, false, Else);
  }
  /// \p Call if its argument has one of \p Bits.
  void allowWith(int Call, unsigned Argument, uint32_t Bits) {
    allowIf(Call, Argument, BPF_JSET, Bits, true, EPERM);
  }
  void allowIfEqual(int Call, unsigned Argument, uint32_t Value, int Else) {
    allowIf(Call, Argument, BPF_JEQ, Value, true, Else);
  }
  bool install() {
    sock_fprog All = {static_cast<unsigned short>(Size), Program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &All) == 0;
  }

private:
  /// \p Call if the \p Test of its argument with \p Value is \p Wanted.
  void allowIf(int Call, unsigned Argument, uint16_t Test, uint32_t Value,
               bool Wanted, int Else) {
    onlyFor(Call, 4);
    loadArgument(Argument);
    add(BPF_JMP | Test | BPF_K, Value, Wanted ? 0 : 1, Wanted ? 1 : 0);
    allow();
    refuse(Else);
  }

  static constexpr size_t Most = 256; ///< jumps are of one byte
  sock_filter Program[Most] = {};
  size_t Size = 0;
};

} // namespace

static bool filterCalls() {
  Filter F;
  F.load(offsetof(seccomp_data, arch));
  F.add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  F.answer(SECCOMP_RET_KILL_PROCESS);
  F.load(offsetof(seccomp_data, nr));
  // Each of these either answers or leaves the number as it was loaded.
  F.allowWithout(SYS_mmap, 2, PROT_EXEC, EPERM);
  F.allowWithout(SYS_mprotect, 2, PROT_EXEC, EPERM);
  F.allowWithout(SYS_openat, 2,
                 O_WRONLY | O_RDWR | O_CREAT | O_TRUNC |
                     (O_TMPFILE & ~O_DIRECTORY),
                 EACCES);
  for (int Call : Allowed) {
    F.onlyFor(Call, 1);
    F.allow();
  }
  // A thread, no process. What clone3 is asked for is out of a filter's sight;
  // the C library takes clone where there is no clone3.
  F.allowWith(SYS_clone, 0, CLONE_THREAD);
  F.onlyFor(SYS_clone3, 1);
  F.refuse(ENOSYS);
  // Signals to ourselves: abort().
  F.allowIfEqual(SYS_tgkill, 0, static_cast<uint32_t>(getpid()), EPERM);
  F.allowIfEqual(SYS_kill, 0, static_cast<uint32_t>(getpid()), EPERM);
  F.allowIfEqual(SYS_ioctl, 1, TCGETS, ENOTTY); // isatty()
  F.allowIfEqual(SYS_prctl, 0, PR_SET_NAME, EPERM);
  // Duplicates, flags and locks of descriptors.
  F.allowWithout(SYS_fcntl, 1, ~uint32_t(7) & ~uint32_t(F_DUPFD_CLOEXEC),
                 EPERM);
  // Limits are read: no new ones, neither half of their address.
  F.onlyFor(SYS_prlimit64, 8);
  F.loadArgument(0);
  F.add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
  F.loadArgument(2);
  F.add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
  F.load(offsetof(seccomp_data, args) + 2 * sizeof(uint64_t) +
         sizeof(uint32_t));
  F.add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
  F.allow();
  F.refuse(EPERM);
  F.refuse(EPERM);
  return F.install();
}
#else
static bool filterCalls() { return false; }
#endif

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Everything that the first version of Landlock knows but to read.
static constexpr uint64_t Writing =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;
static constexpr uint64_t ReadingFile = LANDLOCK_ACCESS_FS_READ_FILE;
static constexpr uint64_t Reading = ReadingFile | LANDLOCK_ACCESS_FS_READ_DIR;

static void letRead(int Rules, const std::string &Path) {
  int Place = open(Path.c_str(), O_PATH | O_CLOEXEC);
  if (Place < 0)
    return; // a directory that is not there has nothing to read
  landlock_path_beneath_attr Rule = {};
  Rule.parent_fd = Place;
  Rule.allowed_access = Reading;
  if (syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule,
              0) != 0) {
    Rule.allowed_access = ReadingFile; // it is no directory
    syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule, 0);
  }
  close(Place);
}

static bool restrictFiles(const std::vector<std::string> &Readable) {
  landlock_ruleset_attr Handled = {};
  Handled.handled_access_fs = Writing | Reading;
  // The size of the first version: what it does not have stays as it is.
  int Rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &Handled,
                                       sizeof(Handled.handled_access_fs), 0));
  if (Rules < 0)
    return false;
  for (const std::string &Path : Readable)
    letRead(Rules, Path);
  const bool Done = syscall(SYS_landlock_restrict_self, Rules, 0) == 0;
  close(Rules);
  return Done;
}

const std::vector<std::string> &warpsan::systemDirectories() {
  static const std::vector<std::string> All = {
      "/usr", "/etc/localtime"}; // __TIME__ is local time
  return All;
}

static bool Restricted = false;
bool warpsan::filesAreRestricted() { return Restricted; }

Sandbox warpsan::confine(const std::vector<std::string> &Readable) {
  Sandbox Stand;
  // Its reports start other programs and read what they like.
  if (Sanitized || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Stand;
  Stand.Files = Restricted = restrictFiles(Readable);
  Stand.Calls = filterCalls();
  return Stand;
}

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

namespace {

struct Attempt {
  const char *What;
  bool NeedsFiles; ///< what Landlock refuses; else what the filter does
  bool (*Succeeds)();
};

bool opens(const char *Path, int Flags) {
  int File = open(Path, Flags | O_CLOEXEC, 0600);
  if (File >= 0)
    close(File);
  return File >= 0;
}

const Attempt Attempts[] = {
    {"read a file elsewhere", true, [] { return opens("/etc/passwd", 0); }},
    {"list a directory elsewhere", true,
     [] { return opens("/", O_RDONLY | O_DIRECTORY); }},
    {"make a file", false, [] { return opens("/tmp", O_WRONLY | O_TMPFILE); }},
    {"change a file", false, [] { return opens("/dev/null", O_RDWR); }},
    {"use the network", false,
     [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
    {"speak to other processes", false,
     [] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
    {"start a process", false,
     [] {
       const long Child =
           syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
       if (Child == 0)
         _exit(0);
       return Child > 0;
     }},
    {"become another program", false,
     [] {
       const char *None[] = {nullptr};
       // Ends with 1, as we do if it is possible.
       execve("/bin/false", const_cast<char *const *>(None),
              const_cast<char *const *>(None));
       return false;
     }},
    {"signal another process", false, [] { return kill(getppid(), 0) == 0; }},
    {"trace another process", false,
     [] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; }},
    {"make new code", false,
     [] {
       return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
     }},
    {"make memory code", false,
     [] {
       void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       return Page == MAP_FAILED ||
              mprotect(Page, 4096, PROT_READ | PROT_EXEC) == 0;
     }},
    {"raise its limits", false,
     [] {
       rlimit Most = {1 << 20, 1 << 20};
       return setrlimit(RLIMIT_CPU, &Most) == 0;
     }},
    // Nowhere: where nothing forbids it, it must not be done either.
    {"mount", false,
     [] {
       return syscall(SYS_mount, nullptr, nullptr, nullptr, 0, nullptr) == 0 ||
              errno == EFAULT;
     }},
    {"change its user", false,
     [] { return syscall(SYS_setuid, getuid()) == 0; }},
    {"set up a ring of commands", false,
     [] {
       return syscall(SYS_io_uring_setup, 0, nullptr) == 0 || errno == EFAULT ||
              errno == EINVAL;
     }},
};

} // namespace

/// In a child of its own: the sandbox cannot be left. Returns its exit
/// code, or -1.
template <typename Body> static int inChild(Body Does) {
  const pid_t Child = fork();
  if (Child == 0)
    _exit(Does());
  int Status = 0;
  if (Child < 0 || waitpid(Child, &Status, 0) != Child || !WIFEXITED(Status))
    return -1;
  return WEXITSTATUS(Status);
}

std::string warpsan::testSandbox(bool &Held) {
  const int Standing = inChild([] {
    const Sandbox Stand = confine(systemDirectories());
    return (Stand.Calls ? 1 : 0) | (Stand.Files ? 2 : 0);
  });
  const bool Calls = Standing > 0 && (Standing & 1);
  const bool Files = Standing > 0 && (Standing & 2);
  std::string Text;
  Text += Calls ? "system calls: a list of those it needs\n"
                : "system calls: ALL, this kernel or build has no filter\n";
  Text += Files ? "files: read below the working directory, the directories of "
                  "-I and "
                  "/usr\n"
                : "files: ALL that the user may read, this kernel or build has "
                  "no Landlock\n";
  Held = Calls && Files;
  for (const Attempt &Try : Attempts) {
    const int Outcome = inChild([&] {
      confine(systemDirectories());
      return Try.Succeeds() ? 1 : 0;
    });
    const bool Refused = Outcome == 0;
    Held &= Refused;
    Text += std::string(Try.What) + ": " + (Refused ? "refused" : "POSSIBLE") +
            "\n";
  }
  return Text;
}
