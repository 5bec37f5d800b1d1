//===- layer/schemes/schemes.cpp - launches as another scheme would have
// them -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/schemes/schemes.h"

#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"

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
      noDestructor<std::string>(otherScheme() ? settings().scheme : "");
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
  return M.Placement.getOrMake(
      [&] { return std::make_shared<SchemePlace>(M.Size); });
}

void warpsan::placeInScheme(const Memory &M) {
  if (otherScheme())
    placeOf(M);
}

void warpsan::freeInScheme(const Memory &M) {
  if (otherScheme())
    placeOf(M).free();
}

uint64_t warpsan::addressInScheme(const Memory &M) {
  return placeOf(M).Address;
}
