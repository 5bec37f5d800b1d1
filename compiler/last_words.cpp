//===- compiler/last_words.cpp - a Product even from a compile that dies --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/last_words.h"

#include "job/job.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>

using namespace warpsan;

namespace {

// Read by signal handlers: plain data, no allocation from here on.
int Out = -1;
uint64_t Limit = 0;
const char *volatile CurrentPhase = "starting";

/// A serialized Product with every field empty but the Reason, built without
/// allocating: the heap may be what broke.
struct FixedProduct {
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

[[noreturn]] void speak(const char *Reason) {
  if (Out >= 0) {
    size_t Length = strnlen(Reason, 2048);
    FixedProduct Product;
    Product.number32(JobVersion);
    Product.number64(Length);
    Product.raw(Reason, Length);
    for (int EmptyField = 0; EmptyField < 4; ++EmptyField)
      Product.number64(0); // Log, Manifest, SpirV, Dependencies
    ssize_t Ignored = write(Out, Product.Bytes, Product.Used);
    (void)Ignored;
    _exit(0);
  }
  _exit(1);
}

void onSignal(int Signal) {
  static char Text[256];
  const char *Name = Signal == SIGSEGV   ? "SIGSEGV"
                     : Signal == SIGBUS  ? "SIGBUS"
                     : Signal == SIGILL  ? "SIGILL"
                     : Signal == SIGFPE  ? "SIGFPE"
                     : Signal == SIGABRT ? "SIGABRT"
                                         : "a signal";
  std::snprintf(Text, sizeof(Text),
                "warpsan-clc crashed (%s) while %s; please report it with the "
                "kernel's source",
                Name, CurrentPhase);
  speak(Text);
}

void onFatalError(void *, const char *Message, bool) {
  static char Text[2048];
  std::snprintf(Text, sizeof(Text), "LLVM gave up while %s: %s", CurrentPhase,
                Message);
  speak(Text);
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
  speak(Text);
}

void onBadAlloc(void *, const char *, bool) { onNoMemory(); }

} // namespace

void warpsan::armLastWords(int Descriptor, uint64_t MemoryBytes) {
  Out = Descriptor;
  Limit = MemoryBytes;
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onNoMemory);

  // A stack of its own: deep recursion is one way to die.
  static char HandlerStack[64 * 1024];
  stack_t Stack = {};
  Stack.ss_sp = HandlerStack;
  Stack.ss_size = sizeof(HandlerStack);
  sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = onSignal;
  Action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(Signal, &Action, nullptr);
}

void warpsan::disarmLastWords() {
  Out = -1;
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    signal(Signal, SIG_DFL);
  std::set_new_handler(nullptr);
}

void warpsan::setPhaseForLastWords(const char *Phase) { CurrentPhase = Phase; }
