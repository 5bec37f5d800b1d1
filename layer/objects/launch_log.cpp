//===- layer/objects/launch_log.cpp - the launches that a record may belong
// to ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/launch_log.h"

#include "layer/process/no_destructor.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>

using namespace warpsan;

namespace {
struct alignas(64) Entry {
  std::mutex Mutex; ///< contended only when the ring has wrapped
  LoggedLaunch Launch;
};
} // namespace

/// The ring is made piece by piece, as launches come; never destroyed.
static constexpr uint64_t PieceSize = 256;
static std::atomic<Entry *> Pieces[LaunchesKept / PieceSize];

static Entry &entryOf(uint64_t Number) {
  const uint64_t Index = Number % LaunchesKept;
  std::atomic<Entry *> &Piece = Pieces[Index / PieceSize];
  Entry *Known = Piece.load(std::memory_order_acquire);
  if (!Known) {
    auto New = std::make_unique<Entry[]>(PieceSize);
    if (Piece.compare_exchange_strong(Known, New.get()))
      Known = New.release();
  }
  return Known[Index % PieceSize];
}

static std::mutex &KeptMutex = noDestructor<std::mutex>();
static auto &Kept =
    noDestructor<std::map<uint64_t, LoggedLaunch>>(); ///< under KeptMutex

uint64_t warpsan::nextLaunchNumber() {
  static std::atomic<uint64_t> Last = 0;
  for (;;) {
    uint64_t Number = Last.fetch_add(1, std::memory_order_relaxed) + 1;
    if (Number % WS_TAGS)
      return Number;
  }
}

/// \p From has \p Count numbers, or is null: then all are \p Missing.
static std::array<uint64_t, 3> three(const size_t *From, cl_uint Count,
                                     uint64_t Missing, uint64_t Beyond) {
  std::array<uint64_t, 3> Out;
  for (cl_uint I = 0; I < 3; ++I)
    Out[I] = !From ? Missing : I < Count ? From[I] : Beyond;
  return Out;
}

/// Fills in all but kernel and arguments.
static void describe(LoggedLaunch &L, uint64_t Number, const NDRange &Range,
                     Backtrace Caller) {
  // The application may pass any number: the driver refuses it later.
  const cl_uint Dimensions = Range.Dimensions <= 3 ? Range.Dimensions : 3;
  L.Number = Number;
  L.Call = Range.Call;
  L.Dimensions = Dimensions;
  L.Offset = three(Range.Offset, Dimensions, 0, 0);
  L.Global = three(Range.Global, Dimensions, 1, 1);
  L.Local = three(Range.Local, Dimensions, 0, 1);
  L.Caller = Caller;
}

LoggedLaunch warpsan::describeLaunch(uint64_t Number, const NDRange &Range) {
  const Backtrace Caller = captureBacktrace();
  LoggedLaunch L;
  describe(L, Number, Range, Caller);
  return L;
}

void warpsan::logLaunch(uint64_t Number,
                        const std::shared_ptr<const LaunchedKernel> &Kernel,
                        const std::shared_ptr<const ArgMemories> &Args,
                        const NDRange &Range,
                        std::shared_ptr<const AuditedLaunch> Audited) {
  const Backtrace Caller = captureBacktrace();
  // What is replaced dies outside of the lock.
  std::shared_ptr<const LaunchedKernel> NewKernel = Kernel;
  std::shared_ptr<const ArgMemories> NewArgs = Args;
  Entry &E = entryOf(Number);
  std::lock_guard Lock(E.Mutex);
  E.Launch.Kernel.swap(NewKernel);
  E.Launch.Args.swap(NewArgs);
  E.Launch.Audited.swap(Audited);
  describe(E.Launch, Number, Range, Caller);
}

std::optional<LoggedLaunch> warpsan::findLaunch(uint64_t Number) {
  {
    Entry &E = entryOf(Number);
    std::lock_guard Lock(E.Mutex);
    if (Number && E.Launch.Number == Number)
      return E.Launch;
  }
  std::lock_guard Lock(KeptMutex);
  auto It = Kept.find(Number);
  if (It == Kept.end())
    return std::nullopt;
  return It->second;
}

KeptLaunch::KeptLaunch(uint64_t Number) : Number(Number) {
  std::optional<LoggedLaunch> Found = findLaunch(Number);
  std::lock_guard Lock(KeptMutex);
  if (Found)
    Kept.emplace(Number, std::move(*Found));
}

KeptLaunch::~KeptLaunch() {
  std::lock_guard Lock(KeptMutex);
  Kept.erase(Number);
}
