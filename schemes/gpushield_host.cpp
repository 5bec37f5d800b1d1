//===- schemes/gpushield_host.cpp - GPUShield's table, as drivers fill it -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each argument of each launch is a region with a random number of its own. The
// paper has a table for each launch; here launches share one, and a number is
// given to another region when many others were made since.
//
//===----------------------------------------------------------------------===//
#include "schemes/gpushield.h"
#include "schemes/host.h"

#include <array>
#include <random>

using namespace warpsan;

namespace {

class GpuShieldHost : public HostScheme {
public:
  uint64_t tagOf(const PlacedMemory &Of, uint64_t Secret) override {
    std::lock_guard Lock(Mutex);
    const uint64_t Id = freeId();
    // Nothing is temporal here: what was freed is a region as before.
    Table->All[Id] = {Of.Address | WS_REGION_VALID |
                          (Of.ReadOnly ? WS_REGION_READ_ONLY : 0),
                      Of.Size};
    return gpushield::pointerTo(Of.Address, Id, gpushield::keyOf(Secret));
  }
  uint64_t tagOfLocal(uint64_t, uint64_t, uint64_t) override { return 0; }
  uint64_t tagOfForeign() override { return 0; }
  uint64_t key(uint64_t Secret) override {
    return gpushield::wordOf(gpushield::keyOf(Secret));
  }
  void *table() override { return Table.get(); }

private:
  /// Under Mutex.
  uint64_t freeId() {
    constexpr uint64_t Kept = uint64_t(1) << (gpushield::IdBits - 1);
    for (;;) {
      const uint64_t Id = Random() & gpushield::IdMask;
      if (MadeAt[Id] && Made - MadeAt[Id] < Kept)
        continue;
      MadeAt[Id] = ++Made;
      return Id;
    }
  }

  // As a CUDA driver does: multiples of 512, and no more.
  static constexpr uint64_t Align = 512;
  uint64_t taken(uint64_t Size) const override {
    return (Size + Align - 1) / Align * Align;
  }
  uint64_t choose(uint64_t Size) override {
    const uint64_t At = Next;
    Next += taken(Size);
    return At;
  }

  uint64_t Next = uint64_t(1) << 42; ///< above what compilers place
  uint64_t Made = 0;
  std::array<uint64_t, 1 << gpushield::IdBits> MadeAt = {};
  std::mt19937_64 Random{std::random_device{}()};
  std::unique_ptr<WsRegions> Table = std::make_unique<WsRegions>();
};

} // namespace

std::unique_ptr<HostScheme> warpsan::makeGpuShieldHost() {
  return std::make_unique<GpuShieldHost>();
}
