//===- test/robustness/fuzz_targets/compile_apart.cpp - a compile in a process
// of its own -------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/robustness/fuzz_targets/compile_apart.h"

#include "compiler/pipeline.h"
#include "compiler/process/crash_handler.h"
#include "compiler/target/presets.h"
#include "layer/twin/manifest.h"
#include "test/robustness/fuzz_targets/demand.h"
#include "text/names.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;

// Where the compiler has put the counters of edges.
extern "C" uint8_t __start___sancov_cntrs[] __attribute__((weak));
extern "C" uint8_t __stop___sancov_cntrs[] __attribute__((weak));

namespace {

constexpr unsigned SecondsEach = 20;
constexpr int MostFrames = 96;

/// How a compile ended; the child's exit code.
enum Ending : int { Compiled = 40, Refused, GaveUp, NoMemory, Died };

/// What the child leaves, in memory that both see.
struct Legacy {
  const char *Phase; ///< a literal, at the same place in both
  int Signal;        ///< 0: a sanitizer's own error
  int Depth;
  void *Frames[MostFrames];
  char Assertion[160]; ///< of a library; empty: none
  uint8_t Counters[];  ///< as many as there are
};

Legacy *Left = nullptr;

size_t counterBytes() {
  return static_cast<size_t>(__stop___sancov_cntrs - __start___sancov_cntrs);
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

void tellWhatWasDone() {
  Left->Phase = crashPhase();
  std::memcpy(Left->Counters, __start___sancov_cntrs, counterBytes());
}

[[noreturn]] void leave(int How) {
  tellWhatWasDone();
  _exit(How);
}

void onDeath() {
  // First: to walk a stack that ran over can be the end of the handler too.
  tellWhatWasDone();
  Left->Depth = backtrace(Left->Frames, MostFrames);
  _exit(Died);
}

void onSignal(int Signal) {
  Left->Signal = Signal;
  onDeath();
}

void prepareToDie() {
  __sanitizer_set_death_callback(onDeath);
  static char *Stack = new char[1 << 20];
  stack_t Other = {};
  Other.ss_sp = Stack;
  Other.ss_size = 1 << 20;
  sigaltstack(&Other, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = onSignal;
  Action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(Signal, &Action, nullptr);
  signal(SIGALRM, SIG_DFL);
  alarm(SecondsEach);
  // The libraries' own ways of giving up, as compiler/process/crash_handler.cpp
  // has them.
  std::atexit([] { leave(GaveUp); });
  llvm::install_fatal_error_handler(
      [](void *, const char *, bool) { leave(GaveUp); });
  std::set_new_handler([] { leave(NoMemory); });
}

[[noreturn]] void runChild(const Job &Request) {
  prepareToDie();
  const CompileResult Made = compile(Request);
  fuzz::demand(Made.Reason.find("please report") == Made.Reason.npos,
               "what the passes made is right", Made.Reason);
  if (!Made.ok())
    leave(Refused);
  Manifest Read;
  const std::string Wrong = readManifest(Made.Manifest, Read);
  fuzz::demand(Wrong.empty(), "the layer can read the manifest", Wrong);
  leave(Compiled);
}

} // namespace

/// The libraries' assertions come here instead of to libc: they say best what
/// went wrong.
extern "C" [[noreturn]] __attribute__((visibility("default"))) void
__assert_fail(const char *What, const char *File, unsigned Line, const char *) {
  if (Left) {
    const char *Name = std::strrchr(File, '/');
    std::snprintf(Left->Assertion, sizeof(Left->Assertion), "%s:%u: %s",
                  Name ? Name + 1 : File, Line, What);
  }
  std::abort();
}

namespace {

//===----------------------------------------------------------------------===//
// Who it was
//===----------------------------------------------------------------------===//

struct Frame {
  std::string Function; ///< demangled; of a library the nearest that it exports
  std::string Module;   ///< the file's name
  bool Ours = false;    ///< code of WarpSan's own
  bool Apparatus = false; ///< what comes of dying itself
};

bool startsWithAny(const std::string &Text,
                   std::initializer_list<const char *> Starts) {
  for (const char *Start : Starts)
    if (Text.starts_with(Start))
      return true;
  return false;
}

Frame frameAt(void *At) {
  static std::map<void *, Frame> Known;
  auto [Entry, IsNew] = Known.emplace(At, Frame());
  Frame &F = Entry->second;
  if (!IsNew)
    return F;
  Dl_info Info = {};
  dladdr(At, &Info);
  const std::string Path = Info.dli_fname ? Info.dli_fname : "";
  F.Module = Path.substr(Path.rfind('/') + 1);
  char Offset[32];
  std::snprintf(Offset, sizeof(Offset), "+0x%zx",
                static_cast<char *>(At) - static_cast<char *>(Info.dli_fbase));
  F.Function = Info.dli_sname ? demangled(Info.dli_sname) : Offset;
  static const char *const Self = [] {
    Dl_info Own = {};
    dladdr(reinterpret_cast<void *>(&frameAt), &Own);
    return Own.dli_fname;
  }();
  if (Info.dli_fname == Self || Path == Self) {
    char Name[512] = {}, File[512] = {};
    char *Before = static_cast<char *>(At) - 1; // a return address is behind it
    __sanitizer_symbolize_pc(Before, "%f", Name, sizeof(Name) - 1);
    __sanitizer_symbolize_pc(Before, "%s", File, sizeof(File) - 1);
    F.Function = Name;
    // SPIRV-Tools are linked in, without debug information.
    F.Ours = std::string_view(File).find('/') != std::string_view::npos;
    F.Apparatus =
        startsWithAny(F.Function, {"__asan", "__sanitizer", "__ubsan",
                                   "__interceptor", "__lsan", "backtrace",
                                   "operator new", "__assert_fail"}) ||
        F.Function.find("onDeath") != F.Function.npos ||
        F.Function.find("onSignal") != F.Function.npos;
    F.Ours &= !F.Apparatus;
  } else {
    F.Apparatus = startsWithAny(F.Module, {"libc.so", "libgcc_s", "libstdc++"});
  }
  return F;
}

/// What we called does all of its work by itself: clang, the translator and
/// SPIRV-Tools, which are linked in, and LLVM's verifier, whose work it is to
/// look at what may be wrong. LLVM's other functions do what we ask of them, so
/// these are not among them.
bool isWholeTool(const Frame &Entry) {
  return startsWithAny(Entry.Module, {"libLLVMSPIRVLib", "libclang-cpp"}) ||
         startsWithAny(Entry.Function,
                       {"spv", "llvm::readSpirv", "llvm::verifyModule"});
}

/// "libLLVMSPIRVLib.so.19.1: SPIRV::f under llvm::readSpirv", or nothing if it
/// is our own.
std::string libraryThatDied() {
  const bool TheirTurn =
      Left->Phase &&
      startsWithAny(Left->Phase, {"reading SPIR-V", "compiling OpenCL C",
                                  "translating", "validating"});
  int At = 0;
  while (At < Left->Depth && frameAt(Left->Frames[At]).Apparatus)
    ++At;
  if (At == Left->Depth)
    return TheirTurn ? std::string("a stack that cannot be walked while ") +
                           Left->Phase
                     : "";
  const Frame Top = frameAt(Left->Frames[At]);
  Frame Entry = Top;
  for (; At < Left->Depth && !frameAt(Left->Frames[At]).Ours; ++At)
    if (!frameAt(Left->Frames[At]).Apparatus)
      Entry = frameAt(Left->Frames[At]);
  if (Top.Ours)
    return {};
  // A stack that ran over has no frame of ours.
  if (At == Left->Depth && TheirTurn)
    return Top.Module + ": " +
           (At == MostFrames ? "recursion without an end"
                             : shortName(Top.Function)) +
           " while " + Left->Phase;
  if (!isWholeTool(Entry))
    return {};
  return Top.Module + ": " +
         (*Left->Assertion ? Left->Assertion : shortName(Top.Function)) +
         " under " + shortName(Entry.Function);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

struct Counts {
  uint64_t Ended[Died - Compiled + 1] = {};
  uint64_t Hangs = 0;
  std::map<std::string, uint64_t> Libraries;
};
Counts &Seen = *new Counts;

void tell() {
  uint64_t Crashes = 0;
  for (const auto &[Who, Times] : Seen.Libraries) {
    std::fprintf(stderr, "apart: %lu times %s\n", Times, Who.c_str());
    Crashes += Times;
  }
  std::fprintf(
      stderr,
      "compiles: %lu compiled, %lu refused, %lu given up by a library, %lu out "
      "of memory, %lu took more than %u s, %lu crashes of libraries, %zu "
      "different\n",
      Seen.Ended[0], Seen.Ended[Refused - Compiled],
      Seen.Ended[GaveUp - Compiled], Seen.Ended[NoMemory - Compiled],
      Seen.Hangs, SecondsEach, Crashes, Seen.Libraries.size());
}

void keep(const std::string &Who, const uint8_t *Data, size_t Size) {
  std::fprintf(stderr, "apart: %s, while %s\n", Who.c_str(), Left->Phase);
  if (const char *Folder = std::getenv("WARPSAN_FUZZ_APART")) {
    const std::string Name = std::to_string(std::hash<std::string>()(Who));
    std::ofstream(std::string(Folder) + "/" + Name, std::ios::binary)
        << fuzz::textOf(Data, Size);
  }
}

void judge(int Status, const uint8_t *Data, size_t Size) {
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGALRM) {
    if (!Seen.Hangs++)
      keep("took more than " + std::to_string(SecondsEach) + " s", Data, Size);
    return;
  }
  const int How = WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
  if (How >= Compiled && How < Died) {
    ++Seen.Ended[How - Compiled];
    return;
  }
  const std::string Who = libraryThatDied();
  if (!Who.empty()) {
    if (!Seen.Libraries[Who]++)
      keep(Who, Data, Size);
    return;
  }
  std::fprintf(stderr, "warpsan-clc would have crashed (signal %d) while %s\n",
               Left->Signal, Left->Phase ? Left->Phase : "starting");
  for (int I = 0; I < Left->Depth; ++I) {
    char Line[1024] = {};
    __sanitizer_symbolize_pc(static_cast<char *>(Left->Frames[I]) - 1, "%f %S",
                             Line, sizeof(Line) - 1);
    std::fprintf(stderr, "    #%d %s (%s)\n", I, Line,
                 frameAt(Left->Frames[I]).Module.c_str());
  }
  std::abort();
}

void start() {
  const size_t Bytes = sizeof(Legacy) + counterBytes();
  void *Pages = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Pages == MAP_FAILED)
    std::abort();
  Left = static_cast<Legacy *>(Pages);
  void *Unused[4];
  backtrace(Unused, 4); // loads what it needs
  warmUp();
  std::atexit(tell);
}

} // namespace

void fuzz::choose(Job &Request, uint8_t Choice) {
  static const char *const Devices[] = {"pocl", "rusticl", "intel", "generic"};
  static const char *const Variants[] = {
      "checked", "lean", "lean-svm", "checked-svm", "plain", "checked-objects"};
  Request.Device = *presetDevice(Devices[Choice % 4]);
  Request.Which = *variantNamed(Variants[Choice / 4 % 6]);
}

void fuzz::compileApart(const Job &Request, const uint8_t *Data, size_t Size) {
  if (!Left)
    start();
  std::memset(static_cast<void *>(Left), 0, sizeof(Legacy) + counterBytes());
  const pid_t Child = fork();
  if (Child == 0)
    runChild(Request);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    ;
  std::memcpy(__start___sancov_cntrs, Left->Counters, counterBytes());
  judge(Status, Data, Size);
}
