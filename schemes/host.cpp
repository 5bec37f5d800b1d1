//===- schemes/host.cpp - a scheme's allocator, and its launches ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

using namespace warpsan;

std::unique_ptr<HostScheme> HostScheme::named(std::string_view Name) {
#define SCHEME(Word, Host, ...)                                                \
  if (Name == (Word))                                                          \
    return Host;
#include "schemes/schemes.def"
  return nullptr;
}

bool warpsan::leavesOutProven(std::string_view Name) {
#define SCHEME(Word, Host, Compiler, WhyNot, Table, Key, LeavesOut)            \
  if (Name == (Word))                                                          \
    return LeavesOut;
#include "schemes/schemes.def"
  return false;
}

uint64_t HostScheme::place(uint64_t Size) {
  std::lock_guard Lock(Mutex);
  Counted.Asked += Size;
  Counted.Taken += taken(Size);
  if (Counted.Asked > Counted.MostAsked) {
    Counted.MostAsked = Counted.Asked;
    Counted.TakenThen = Counted.Taken;
  }
  return choose(Size);
}

void HostScheme::free(uint64_t Address, uint64_t Size) {
  std::lock_guard Lock(Mutex);
  Counted.Asked -= Size;
  Counted.Taken -= taken(Size);
  release(Address, Size);
}

Footprint HostScheme::footprint() const {
  std::lock_guard Lock(Mutex);
  return Counted;
}
