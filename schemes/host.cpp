//===- schemes/host.cpp - a scheme's allocator, and what a launch is told -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

using namespace warpsan;

std::unique_ptr<HostScheme> HostScheme::named(std::string_view Name) {
  if (Name == "lmi" || Name == "lmi-live")
    return makeLmiHost(Name == "lmi-live");
  if (Name == "cusafe")
    return makeCuSafeHost();
  if (Name == "gpushield" || Name == "gpushield-static")
    return makeGpuShieldHost();
  if (Name == "no-fat")
    return makeNoFatHost();
  if (Name == "trace")
    return makeTraceHost();
  return nullptr;
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
