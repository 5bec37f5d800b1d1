//===- schemes/trace_host.cpp - traces of what would be checked -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tags name the memory, as GPUShield numbers it: in their upper 16 bits each
// argument of each launch has a number of its own, and below them is the
// address. Memory is placed as a CUDA driver does; how much it takes is what it
// takes in LMI. The trace goes to the file that WARPSAN_SCHEME_TRACE names.
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

#include "abi/schemes.h"
#include "schemes/gpushield.h"
#include "schemes/lmi.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace warpsan;

namespace {

class TraceHost : public HostScheme {
public:
  TraceHost() {
    if (!secure_getenv("WARPSAN_SCHEME_TRACE"))
      return;
    Traced = Trace.get();
    std::atexit([] { write(); });
  }

  uint64_t tagOf(const PlacedMemory &Of, uint64_t) override {
    std::lock_guard Lock(Mutex);
    LastRegion = LastRegion % MostRegions + 1;
    return LastRegion << gpushield::IdShift | Of.Address;
  }
  uint64_t tagOfLocal(uint64_t Offset, uint64_t, uint64_t) override {
    return WS_POOL_BASE + Offset;
  }
  uint64_t tagOfForeign() override { return 0; }
  /// The launch's number.
  uint64_t key(uint64_t) override {
    std::lock_guard Lock(Mutex);
    return ++Launches;
  }
  void *table() override { return Trace.get(); }

private:
  static void write() {
    std::FILE *To = std::fopen(secure_getenv("WARPSAN_SCHEME_TRACE"), "wb");
    if (!To)
      return;
    const uint32_t Count = std::min(Traced->Next, WS_TRACE_MOST);
    std::fwrite(Traced->All, sizeof(WsTraceEntry), Count, To);
    std::fclose(To);
  }

  uint64_t taken(uint64_t Size) const override {
    return uint64_t(1) << lmi::bitsOf(lmi::extentOf(Size));
  }
  uint64_t choose(uint64_t Size) override {
    constexpr uint64_t Align = 512;
    const uint64_t At = Next;
    Next += (Size + Align - 1) / Align * Align;
    return At;
  }

  static constexpr uint64_t MostRegions = gpushield::IdMask;
  static inline const WsTrace *Traced; ///< of the only one that is written
  uint64_t Next = uint64_t(1) << 42;   ///< above what compilers place
  uint64_t LastRegion = 0, Launches = 0;
  std::unique_ptr<WsTrace> Trace = std::make_unique<WsTrace>();
};

} // namespace

std::unique_ptr<HostScheme> warpsan::makeTraceHost() {
  return std::make_unique<TraceHost>();
}
