//===- compiler/process/timing.cpp - how long each phase of a compile took ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/process/timing.h"

#include "compiler/process/crash_handler.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpsan;

void Phases::enter(const char *Name) {
  end();
  Current = Name;
  Since = Clock::now();
  setCrashPhase(Name);
}

void Phases::end() {
  if (!Current)
    return;
  std::chrono::duration<double, std::milli> Took = Clock::now() - Since;
  Done.emplace_back(Current, Took.count());
  Current = nullptr;
}

std::string Phases::text() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  double Total = 0;
  for (const auto &[Name, Milliseconds] : Done) {
    OS << Name << llvm::format(" %.1f ms, ", Milliseconds);
    Total += Milliseconds;
  }
  OS << llvm::format("total %.1f ms", Total);
  return Text;
}
