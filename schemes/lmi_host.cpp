//===- schemes/lmi_host.cpp - Let-Me-In's allocator -----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are powers of two, and allocations are aligned to theirs. What is freed
// is handed out again, the last one first.
//
// With the paper's extension the unmodifiable bits of all live buffers are in a
// table; buffers of more than half a page are not, as their pages are unmapped.
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

#include "abi/schemes.h"
#include "schemes/lmi.h"

#include <map>
#include <vector>

using namespace warpsan;

namespace {

class LmiHost : public HostScheme {
public:
  explicit LmiHost(bool Live) {
    if (Live)
      Table = std::make_unique<WsLiveTable>();
  }

  uint64_t tagOf(const PlacedMemory &Of, uint64_t) override {
    // free clears the extent of the pointer that it is given: what a program
    // passes to a kernel is that one.
    return Of.Freed ? Of.Address : lmi::pointerTo(Of.Address, Of.Size);
  }
  uint64_t moved(uint64_t Tag, uint64_t Offset) override {
    return lmi::ocu(Tag, Tag + Offset);
  }
  uint64_t tagOfLocal(uint64_t Offset, uint64_t, uint64_t Pool) override {
    const uint64_t Tag = lmi::pointerTo(WS_POOL_BASE, Pool);
    return lmi::ocu(Tag, Tag + Offset);
  }
  uint64_t tagOfForeign() override {
    return uint64_t(lmi::MostExtent) << lmi::ExtentShift |
           uint64_t(1) << (lmi::bitsOf(lmi::MostExtent) - 1);
  }
  void *table() override { return Table.get(); }

private:
  static uint64_t rounded(uint64_t Size) {
    return uint64_t(1) << lmi::bitsOf(lmi::extentOf(Size));
  }
  static bool isSmall(uint64_t Size) {
    return rounded(Size) <= WS_LIVE_MOST_BYTES;
  }
  static uint64_t nameOf(uint64_t Address, uint64_t Size) {
    return wsLiveName(lmi::pointerTo(Address, Size));
  }

  uint64_t taken(uint64_t Size) const override { return rounded(Size); }

  uint64_t choose(uint64_t Size) override {
    const uint64_t Bytes = rounded(Size);
    std::vector<uint64_t> &Again = Free[Bytes];
    uint64_t At = 0;
    if (Again.empty()) {
      Next = (Next + Bytes - 1) & ~(Bytes - 1);
      At = Next;
      Next += Bytes;
    } else {
      At = Again.back();
      Again.pop_back();
    }
    if (Table && isSmall(Size))
      enter(nameOf(At, Size));
    return At;
  }

  void release(uint64_t Address, uint64_t Size) override {
    if (Table && isSmall(Size))
      remove(nameOf(Address, Size));
    Free[rounded(Size)].push_back(Address);
  }

  void enter(uint64_t Name) {
    for (uint32_t I = 0; I < WS_LIVE_PROBES; ++I)
      if (WsU64 &Slot = Table->Names[wsLiveSlot(Name, I)];
          Slot == 0 || Slot == WS_LIVE_GONE) {
        Slot = Name;
        return;
      }
  }
  void remove(uint64_t Name) {
    for (uint32_t I = 0; I < WS_LIVE_PROBES; ++I)
      if (WsU64 &Slot = Table->Names[wsLiveSlot(Name, I)]; Slot == Name)
        Slot = WS_LIVE_GONE;
  }

  uint64_t Next = uint64_t(1) << 42; ///< above what compilers place
  std::map<uint64_t, std::vector<uint64_t>> Free;
  std::unique_ptr<WsLiveTable> Table;
};

} // namespace

std::unique_ptr<HostScheme> warpsan::makeLmiHost(bool Live) {
  return std::make_unique<LmiHost>(Live);
}
