//===- layer/schemes.cpp - launches as another scheme would have them -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/schemes.h"

#include "abi/heap.h"
#include "layer/settings.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace warpsan;

/// How much memory the scheme would have taken, for bench/schemes.
static void tellFootprint() {
  const char *Path = secure_getenv("WARPSAN_SCHEME_MEMORY");
  if (std::FILE *To = std::fopen(Path, "w")) {
    const Footprint Told = otherScheme()->footprint();
    std::fprintf(To, "%llu %llu\n",
                 static_cast<unsigned long long>(Told.MostAsked),
                 static_cast<unsigned long long>(Told.TakenThen));
    std::fclose(To);
  }
}

HostScheme *warpsan::otherScheme() {
  // Never destroyed: OpenCL may be called from static destructors.
  static HostScheme *const Only = [] {
    auto Made = HostScheme::named(settings().scheme);
    if (Made && secure_getenv("WARPSAN_SCHEME_MEMORY"))
      std::atexit(tellFootprint);
    return Made.release();
  }();
  return Only;
}

const std::string &warpsan::otherSchemeName() {
  static const auto &Name =
      *new std::string(otherScheme() ? settings().scheme : "");
  return Name;
}

bool warpsan::onlyCanaries() {
  static const bool Only = settings().scheme == "canaries";
  return Only;
}

uint64_t warpsan::nextSecret() {
  thread_local std::mt19937_64 Random{std::random_device{}()};
  return Random();
}

/// Where the scheme's allocator has put an allocation.
struct warpsan::SchemePlace {
  explicit SchemePlace(uint64_t Size)
      : Address(otherScheme()->place(Size)), Size(Size) {}
  SchemePlace(const SchemePlace &) = delete;
  ~SchemePlace() { free(); }

  void free() {
    if (!Freed.exchange(true))
      otherScheme()->free(Address, Size);
  }

  const uint64_t Address, Size;
  std::atomic<bool> Freed = false;
};

/// For as long as we remember \p M; anew for memory made out of our sight.
static SchemePlace &placeOf(const Memory &M) {
  static std::mutex &Mutex = *new std::mutex;
  std::lock_guard Lock(Mutex);
  if (!M.Place)
    M.Place = std::make_shared<SchemePlace>(M.Size);
  return *M.Place;
}

void warpsan::placeInScheme(const Memory &M) {
  if (otherScheme())
    placeOf(M);
}

void warpsan::freeInScheme(const Memory &M) {
  if (otherScheme())
    placeOf(M).free();
}

cl_ulong warpsan::tagOf(const std::vector<ArgBounds> &All,
                        const std::vector<KernelPlan::ArgKind> &Kinds,
                        size_t Arg, uint64_t Secret) {
  HostScheme &How = *otherScheme();
  const ArgBounds &B = All[Arg];
  if (Kinds[Arg] == KernelPlan::ArgKind::Local) {
    uint64_t Pool = 0, Offset = 0;
    constexpr uint64_t Align = 128; // of OpenCL's largest type
    for (size_t I = 0; I < All.size(); ++I) {
      if (Kinds[I] != KernelPlan::ArgKind::Local)
        continue;
      if (I == Arg)
        Offset = Pool;
      Pool += (All[I].Size + Align - 1) / Align * Align;
    }
    return How.tagOfLocal(Offset, B.Size, Pool);
  }
  switch (B.Memory.What) {
  case ArgMemory::Kind::Foreign:
    return How.tagOfForeign();
  case ArgMemory::Kind::Known:
    break;
  default:
    return 0;
  }
  const Memory &M = *B.Memory.Of;
  SchemePlace &Place = placeOf(M);
  PlacedMemory Of{Place.Address, M.Size, (B.Size & WS_NOT_WRITABLE) != 0,
                  false};
  // A memory object that was released may live on in the driver.
  Of.Freed = !M.isObject() && M.Released.load();
  return How.moved(How.tagOf(Of, Secret), B.Start);
}
