//===- test/robustness/fault_calls.cpp - calls of the C library that fail -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See board.h. Whose call it is, is seen by its return address: WarpSan's layer
// has its own C++ library inside, so there is nothing in between. The compiler,
// another program, is not touched.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/board.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <iterator>
#include <link.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

using namespace faults;

//===----------------------------------------------------------------------===//
// The board
//===----------------------------------------------------------------------===//

static Board Unseen; ///< if there is no file
static Board *TheBoard = &Unseen;
static Kind Wanted = Kind::None;
static uint64_t At = 0;
static bool Forever = false;
static int DriverError = -6;

Board *faults::board() { return TheBoard; }
bool faults::wants(Kind What) { return Wanted == What; }
int faults::driverError() { return DriverError; }

[[gnu::constructor]] static void start() {
  const char *Path = getenv("FAULTS_BOARD");
  const char *Name = getenv("FAULTS_KIND");
  const char *Number = getenv("FAULTS_AT");
  if (!Path || !Name)
    return;
  const long File = syscall(SYS_openat, AT_FDCWD, Path, O_RDWR | O_CLOEXEC);
  if (File < 0)
    return;
  void *Pages = reinterpret_cast<void *>(
      syscall(SYS_mmap, nullptr, sizeof(Board), PROT_READ | PROT_WRITE,
              MAP_SHARED, File, 0L));
  syscall(SYS_close, File);
  if (Pages == MAP_FAILED)
    return;
  TheBoard = static_cast<Board *>(Pages);
  At = Number ? strtoull(Number, nullptr, 10) : 0;
  Forever = getenv("FAULTS_FOREVER") != nullptr;
  if (const char *Error = getenv("FAULTS_ERROR"))
    DriverError = atoi(Error);
  const char *Names[] = {"memory",      "file",   "process", "short",
                         "interrupted", "driver", "app"};
  for (uint32_t I = 0; I < std::size(Names); ++I)
    if (!strcmp(Names[I], Name))
      Wanted = static_cast<Kind>(I);
}

bool faults::isOurs(const void *Address) {
  static std::atomic<uintptr_t> Start = 0, End = 0;
  const auto Number = reinterpret_cast<uintptr_t>(Address);
  if (const uintptr_t Known = End.load(std::memory_order_acquire))
    return Number >= Start.load() && Number < Known;
  dl_find_object Found;
  if (_dl_find_object(const_cast<void *>(Address), &Found) != 0 ||
      !Found.dlfo_link_map->l_name ||
      !strstr(Found.dlfo_link_map->l_name, "libwarpsan_layer.so"))
    return false;
  Start = reinterpret_cast<uintptr_t>(Found.dlfo_map_start);
  End.store(reinterpret_cast<uintptr_t>(Found.dlfo_map_end),
            std::memory_order_release);
  return true;
}

/// Of the frames that are WarpSan's, from the innermost.
static uint64_t placeOfCall() {
  uint64_t Hash = 14695981039346656037ULL;
  _Unwind_Backtrace(
      [](_Unwind_Context *Frame, void *Into) {
        const auto Address = _Unwind_GetIP(Frame);
        if (isOurs(reinterpret_cast<void *>(Address))) {
          auto &Sum = *static_cast<uint64_t *>(Into);
          Sum = (Sum ^ Address) * 1099511628211ULL;
        }
        return _URC_NO_REASON;
      },
      &Hash);
  return Hash;
}

static void notePlace(uint64_t Number) {
  static std::atomic<uint64_t> Seen[4 * MostPlaces];
  const uint64_t Hash = placeOfCall();
  for (uint64_t I = Hash;; ++I) {
    uint64_t Old = 0;
    std::atomic<uint64_t> &Slot = Seen[I % (4 * MostPlaces)];
    if (Slot.compare_exchange_strong(Old, Hash))
      break;
    if (Old == Hash)
      return;
  }
  const uint64_t Index = TheBoard->PlaceCount.fetch_add(1);
  if (Index < MostPlaces)
    TheBoard->Places[Index] = static_cast<uint32_t>(Number);
}

bool faults::due(Kind What, const char *Name) {
  const uint64_t Number =
      TheBoard->Counts[static_cast<uint32_t>(What)].fetch_add(1) + 1;
  if (What == Wanted && !At)
    notePlace(Number);
  if (What != Wanted || !At || (Forever ? Number < At : Number != At))
    return false;
  if (TheBoard->Fired.fetch_add(1) == 0)
    strncpy(TheBoard->Name, Name, sizeof(TheBoard->Name) - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// What may fail
//===----------------------------------------------------------------------===//

template <typename F> static F *real(F *&Known, const char *Name) {
  if (!Known)
    Known = reinterpret_cast<F *>(dlsym(RTLD_NEXT, Name));
  return Known;
}

#define EXPORTED extern "C" __attribute__((visibility("default")))
#define REAL(name)                                                             \
  static decltype(::name) *Known;                                              \
  auto *Real = real(Known, #name);
#define FAILS(kind, name)                                                      \
  (isOurs(__builtin_return_address(0)) && due(Kind::kind, #name))

// Memory. dlsym allocates, so these go by their other names.
extern "C" {
void *__libc_malloc(size_t);           // NOLINT
void *__libc_calloc(size_t, size_t);   // NOLINT
void *__libc_realloc(void *, size_t);  // NOLINT
void *__libc_memalign(size_t, size_t); // NOLINT
}

template <typename T> static T *noMemory() {
  errno = ENOMEM;
  return nullptr;
}

EXPORTED void *malloc(size_t Size) {
  return FAILS(Memory, malloc) ? noMemory<void>() : __libc_malloc(Size);
}
EXPORTED void *calloc(size_t Count, size_t Size) {
  return FAILS(Memory, calloc) ? noMemory<void>() : __libc_calloc(Count, Size);
}
EXPORTED void *realloc(void *Old, size_t Size) {
  return FAILS(Memory, realloc) ? noMemory<void>() : __libc_realloc(Old, Size);
}
EXPORTED void *aligned_alloc(size_t Align, size_t Size) {
  return FAILS(Memory, aligned_alloc) ? noMemory<void>()
                                      : __libc_memalign(Align, Size);
}
EXPORTED void *memalign(size_t Align, size_t Size) {
  return FAILS(Memory, memalign) ? noMemory<void>()
                                 : __libc_memalign(Align, Size);
}
EXPORTED int posix_memalign(void **To, size_t Align, size_t Size) {
  if (FAILS(Memory, posix_memalign))
    return ENOMEM;
  *To = __libc_memalign(Align, Size);
  return *To ? 0 : ENOMEM;
}

/// A function that fails with \p Failure and errno \p Code.
#define CALL(kind, result, name, parameters, arguments, failure, code)         \
  EXPORTED result name parameters {                                            \
    REAL(name)                                                                 \
    if (FAILS(kind, name)) {                                                   \
      errno = code;                                                            \
      return failure;                                                          \
    }                                                                          \
    return Real arguments;                                                     \
  }

/// The same, and it may be interrupted by a signal before that.
#define SLOW_CALL(kind, result, name, parameters, arguments, failure, code)    \
  EXPORTED result name parameters {                                            \
    REAL(name)                                                                 \
    if (FAILS(Interrupted, name)) {                                            \
      errno = EINTR;                                                           \
      return failure;                                                          \
    }                                                                          \
    if (FAILS(kind, name)) {                                                   \
      errno = code;                                                            \
      return failure;                                                          \
    }                                                                          \
    return Real arguments;                                                     \
  }

/// The same, and it may do half of what was asked for.
#define TRANSFER(result, name, parameters, arguments, size, code)              \
  EXPORTED result name parameters {                                            \
    REAL(name)                                                                 \
    if (FAILS(Interrupted, name)) {                                            \
      errno = EINTR;                                                           \
      return -1;                                                               \
    }                                                                          \
    if (FAILS(File, name)) {                                                   \
      errno = code;                                                            \
      return -1;                                                               \
    }                                                                          \
    if (size > 1 && FAILS(Short, name))                                        \
      size /= 2;                                                               \
    return Real arguments;                                                     \
  }

TRANSFER(ssize_t, read, (int File, void *To, size_t Size), (File, To, Size),
         Size, EIO)
TRANSFER(ssize_t, write, (int File, const void *From, size_t Size),
         (File, From, Size), Size, ENOSPC)
TRANSFER(ssize_t, pread, (int File, void *To, size_t Size, off_t Where),
         (File, To, Size, Where), Size, EIO)
TRANSFER(ssize_t, pwrite,
         (int File, const void *From, size_t Size, off_t Where),
         (File, From, Size, Where), Size, ENOSPC)
TRANSFER(ssize_t, pread64, (int File, void *To, size_t Size, off64_t Where),
         (File, To, Size, Where), Size, EIO)
TRANSFER(ssize_t, pwrite64,
         (int File, const void *From, size_t Size, off64_t Where),
         (File, From, Size, Where), Size, ENOSPC)

#define OPEN(name)                                                             \
  EXPORTED int name(const char *Path, int Flags, ...) {                        \
    REAL(name)                                                                 \
    va_list More;                                                              \
    va_start(More, Flags);                                                     \
    const mode_t Mode = va_arg(More, mode_t);                                  \
    va_end(More);                                                              \
    if (FAILS(Interrupted, name)) {                                            \
      errno = EINTR;                                                           \
      return -1;                                                               \
    }                                                                          \
    if (FAILS(File, name)) {                                                   \
      errno = EMFILE;                                                          \
      return -1;                                                               \
    }                                                                          \
    return Real(Path, Flags, Mode);                                            \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                           \
  EXPORTED int name(int Folder, const char *Path, int Flags, ...) {            \
    REAL(name)                                                                 \
    va_list More;                                                              \
    va_start(More, Flags);                                                     \
    const mode_t Mode = va_arg(More, mode_t);                                  \
    va_end(More);                                                              \
    if (FAILS(File, name)) {                                                   \
      errno = EMFILE;                                                          \
      return -1;                                                               \
    }                                                                          \
    return Real(Folder, Path, Flags, Mode);                                    \
  }
OPENAT(openat)
OPENAT(openat64)

EXPORTED int close(int File) {
  REAL(close)
  const bool Fails = FAILS(File, close);
  const int Result = Real(File);
  if (Fails)
    errno = EIO;
  return Fails ? -1 : Result;
}

CALL(File, void *, mmap,
     (void *Where, size_t Size, int Rights, int Flags, int File, off_t From),
     (Where, Size, Rights, Flags, File, From), MAP_FAILED, ENOMEM)
CALL(File, void *, mmap64,
     (void *Where, size_t Size, int Rights, int Flags, int File, off64_t From),
     (Where, Size, Rights, Flags, File, From), MAP_FAILED, ENOMEM)
CALL(File, int, madvise, (void *Where, size_t Size, int What),
     (Where, Size, What), -1, EAGAIN)
CALL(File, int, mprotect, (void *Where, size_t Size, int What),
     (Where, Size, What), -1, ENOMEM)
CALL(File, int, rename, (const char *From, const char *To), (From, To), -1, EIO)
CALL(File, int, renameat, (int A, const char *From, int B, const char *To),
     (A, From, B, To), -1, EIO)
CALL(File, int, unlink, (const char *Path), (Path), -1, EIO)
CALL(File, int, unlinkat, (int Folder, const char *Path, int Flags),
     (Folder, Path, Flags), -1, EIO)
CALL(File, int, remove, (const char *Path), (Path), -1, EIO)
CALL(File, int, mkdir, (const char *Path, mode_t Mode), (Path, Mode), -1,
     ENOSPC)
CALL(File, int, mkdirat, (int Folder, const char *Path, mode_t Mode),
     (Folder, Path, Mode), -1, ENOSPC)
CALL(File, int, chmod, (const char *Path, mode_t Mode), (Path, Mode), -1, EPERM)
CALL(File, int, fchmod, (int File, mode_t Mode), (File, Mode), -1, EPERM)
CALL(File, int, fsync, (int File), (File), -1, EIO)
CALL(File, int, ftruncate, (int File, off_t Size), (File, Size), -1, ENOSPC)
CALL(File, int, ftruncate64, (int File, off64_t Size), (File, Size), -1, ENOSPC)
CALL(File, int, flock, (int File, int What), (File, What), -1, ENOLCK)
CALL(File, int, access, (const char *Path, int How), (Path, How), -1, EIO)
CALL(File, int, stat, (const char *Path, struct stat *To), (Path, To), -1, EIO)
CALL(File, int, lstat, (const char *Path, struct stat *To), (Path, To), -1, EIO)
CALL(File, int, fstat, (int File, struct stat *To), (File, To), -1, EIO)
CALL(File, int, fstatat,
     (int Folder, const char *Path, struct stat *To, int Flags),
     (Folder, Path, To, Flags), -1, EIO)
CALL(File, int, stat64, (const char *Path, struct stat64 *To), (Path, To), -1,
     EIO)
CALL(File, int, lstat64, (const char *Path, struct stat64 *To), (Path, To), -1,
     EIO)
CALL(File, int, fstat64, (int File, struct stat64 *To), (File, To), -1, EIO)
CALL(File, int, utimensat,
     (int Folder, const char *Path, const struct timespec *Times, int Flags),
     (Folder, Path, Times, Flags), -1, EIO)
CALL(File, char *, getcwd, (char *To, size_t Size), (To, Size), nullptr, ERANGE)
CALL(File, char *, realpath, (const char *Path, char *To), (Path, To), nullptr,
     EIO)
CALL(File, ssize_t, readlink, (const char *Path, char *To, size_t Size),
     (Path, To, Size), -1, EIO)
CALL(File, FILE *, fopen, (const char *Path, const char *Mode), (Path, Mode),
     nullptr, ENOMEM)
CALL(File, FILE *, fopen64, (const char *Path, const char *Mode), (Path, Mode),
     nullptr, ENOMEM)
CALL(File, FILE *, fdopen, (int File, const char *Mode), (File, Mode), nullptr,
     ENOMEM)
CALL(File, DIR *, opendir, (const char *Path), (Path), nullptr, EMFILE)
CALL(File, DIR *, fdopendir, (int File), (File), nullptr, ENOMEM)
CALL(File, struct dirent *, readdir, (DIR * From), (From), nullptr, EIO)
CALL(File, struct dirent64 *, readdir64, (DIR * From), (From), nullptr, EIO)
CALL(File, int, memfd_create, (const char *Name, unsigned Flags), (Name, Flags),
     -1, EMFILE)

CALL(Process, int, pipe2, (int To[2], int Flags), (To, Flags), -1, EMFILE)
CALL(Process, int, socketpair, (int A, int B, int C, int To[2]), (A, B, C, To),
     -1, EMFILE)
SLOW_CALL(Process, ssize_t, sendmsg, (int To, const msghdr *Message, int Flags),
          (To, Message, Flags), -1, EPIPE)
SLOW_CALL(Process, int, poll, (pollfd * All, nfds_t Count, int Wait),
          (All, Count, Wait), -1, ENOMEM)
SLOW_CALL(Process, pid_t, waitpid, (pid_t Of, int *To, int Flags),
          (Of, To, Flags), -1, ECHILD)
CALL(Process, int, execve,
     (const char *Path, char *const Arguments[], char *const Environment[]),
     (Path, Arguments, Environment), -1, ENOMEM)
CALL(Process, int, sigaction,
     (int Signal, const struct sigaction *New, struct sigaction *Old),
     (Signal, New, Old), -1, EINVAL)
CALL(Process, int, kill, (pid_t To, int Signal), (To, Signal), -1, EPERM)

EXPORTED int pthread_sigmask(int How, const sigset_t *New, sigset_t *Old) {
  REAL(pthread_sigmask)
  return FAILS(Process, pthread_sigmask) ? EINVAL : Real(How, New, Old);
}

extern "C" int __cxa_atexit(void (*)(void *), void *, void *);       // NOLINT
extern "C" int __register_atfork(void (*)(), void (*)(), void (*)(), // NOLINT
                                 void *);
EXPORTED int __cxa_atexit(void (*Function)(void *), void *Given, // NOLINT
                          void *Module) {
  REAL(__cxa_atexit)
  return FAILS(Memory, __cxa_atexit) ? -1 : Real(Function, Given, Module);
}
EXPORTED int __register_atfork(void (*Before)(), void (*Parent)(), // NOLINT
                               void (*Child)(), void *Module) {
  REAL(__register_atfork)
  return FAILS(Memory, __register_atfork) ? ENOMEM
                                          : Real(Before, Parent, Child, Module);
}

/// The child shares our memory, so that what it calls is counted too.
extern "C" int __clone(int (*)(void *), void *, int, void *, ...); // NOLINT
EXPORTED int __clone(int (*Function)(void *), void *Stack,         // NOLINT
                     int Flags, void *Given, ...) {
  REAL(__clone)
  if (FAILS(Process, __clone)) {
    errno = EAGAIN;
    return -1;
  }
  return Real(Function, Stack, Flags, Given);
}

EXPORTED long syscall(long Number, ...) noexcept {
  REAL(syscall)
  va_list More;
  va_start(More, Number);
  long Given[6];
  for (long &Each : Given)
    Each = va_arg(More, long);
  va_end(More);
  if (FAILS(Process, syscall)) {
    errno = EPERM;
    return -1;
  }
  return Real(Number, Given[0], Given[1], Given[2], Given[3], Given[4],
              Given[5]);
}
