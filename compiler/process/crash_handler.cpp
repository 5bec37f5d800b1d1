//===- compiler/process/crash_handler.cpp - an answer from a compile that
// dies -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/process/crash_handler.h"

#include "job/job.h"
#include "text/write_all.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace warpsan;

namespace {

// Read by signal handlers: plain data, no allocation from here on.
CrashCallback Callback = nullptr;
uint64_t Limit = 0;
const char *volatile CurrentPhase = "starting";
int Captured = -1;

constexpr int DeadlySignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

[[noreturn]] void reportCrash(const char *Reason) {
  if (CrashCallback Call = Callback) {
    Callback = nullptr; // a crash in the callback must not call it again
    Call(Reason);
  }
  _exit(1);
}

const char *nameOf(int Signal) {
  switch (Signal) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGILL:
    return "SIGILL";
  case SIGFPE:
    return "SIGFPE";
  case SIGABRT:
    return "SIGABRT";
  default:
    return "a signal";
  }
}

void onSignal(int Signal) {
  static char Text[256];
  std::snprintf(Text, sizeof(Text),
                "warpsan-clc crashed (%s) while %s; please report it with the "
                "kernel's source",
                nameOf(Signal), CurrentPhase);
  reportCrash(Text);
}

void onFatalError(void *, const char *Message, bool) {
  static char Text[2048];
  std::snprintf(Text, sizeof(Text), "LLVM gave up while %s: %s", CurrentPhase,
                Message);
  reportCrash(Text);
}

void onNoMemory() {
  static char Text[256];
  if (Limit)
    std::snprintf(Text, sizeof(Text),
                  "warpsan-clc ran out of memory while %s; its limit is %llu "
                  "MiB, see the option compile_mb",
                  CurrentPhase, static_cast<unsigned long long>(Limit >> 20));
  else
    std::snprintf(Text, sizeof(Text), "warpsan-clc ran out of memory while %s",
                  CurrentPhase);
  reportCrash(Text);
}

void onBadAlloc(void *, const char *, bool) { onNoMemory(); }

/// The translator has called exit() after printing why.
void onExit() {
  if (!Callback)
    return;
  static char Said[1024];
  ssize_t Size = Captured < 0 ? 0 : pread(Captured, Said, sizeof(Said) - 1, 0);
  if (Size < 0)
    Size = 0;
  Said[Size] = '\0';
  for (char *C = Said; *C; ++C) // reasons are one line
    if (*C == '\n' || *C == '\t')
      *C = ' ';
  static char Text[1280];
  std::snprintf(Text, sizeof(Text),
                "the SPIR-V translator gave up while %s%s%s", CurrentPhase,
                Size ? ": " : "", Said);
  reportCrash(Text);
}

/// A serialized CompileResult with every field empty but the Reason.
struct FixedResult {
  char Bytes[4096];
  size_t Used = 0;

  void raw(const void *Data, size_t Size) {
    if (Used + Size > sizeof(Bytes))
      return;
    std::memcpy(Bytes + Used, Data, Size);
    Used += Size;
  }
  void number32(uint32_t Value) { raw(&Value, sizeof(Value)); }
  void number64(uint64_t Value) { raw(&Value, sizeof(Value)); }
};

} // namespace

void warpsan::writeRefusal(int Descriptor, const char *Reason) {
  size_t Length = strnlen(Reason, 2048);
  FixedResult Refused;
  Refused.number32(JobVersion);
  Refused.number64(Length);
  Refused.raw(Reason, Length);
  for (int EmptyField = 0; EmptyField < 4; ++EmptyField)
    Refused.number64(0); // Log, Manifest, SpirV, Dependencies
  writeAll(Descriptor, {Refused.Bytes, Refused.Used});
}

void warpsan::installCrashHandler(CrashCallback Call, uint64_t MemoryBytes) {
  Callback = Call;
  Limit = MemoryBytes;
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onNoMemory);
  static bool Registered = std::atexit(onExit) == 0;
  (void)Registered;

  // A stack of its own: deep recursion is one way to die.
  static char HandlerStack[64 * 1024];
  stack_t Stack = {};
  Stack.ss_sp = HandlerStack;
  Stack.ss_size = sizeof(HandlerStack);
  sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = onSignal;
  Action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (int Signal : DeadlySignals)
    sigaction(Signal, &Action, nullptr);
}

void warpsan::removeCrashHandler() {
  Callback = nullptr;
  for (int Signal : DeadlySignals)
    signal(Signal, SIG_DFL);
  std::set_new_handler(nullptr);
}

void warpsan::setCrashPhase(const char *Phase) { CurrentPhase = Phase; }
const char *warpsan::crashPhase() { return CurrentPhase; }

int warpsan::captureStandardError() {
  int Real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  Captured = memfd_create("warpsan-clc-stderr", MFD_CLOEXEC);
  if (Captured >= 0)
    dup2(Captured, STDERR_FILENO);
  return Real;
}

std::string warpsan::capturedStandardError() {
  std::string Text;
  char Part[4096];
  ssize_t Got;
  while (Captured >= 0 && (Got = pread(Captured, Part, sizeof(Part),
                                       static_cast<off_t>(Text.size()))) > 0)
    Text.append(Part, static_cast<size_t>(Got));
  return Text;
}
