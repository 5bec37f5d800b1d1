//===- schemes/nofat_host.cpp - No-FAT's binning allocator ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is freed is handed out again, the last one first, with other random
// bits. A launch is where pointers come into a kernel: the runtime knows which
// bits the memory has that an argument is to, and says if they differ.
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

#include "schemes/nofat.h"

#include <array>
#include <random>
#include <unordered_map>
#include <vector>

using namespace warpsan;

namespace {

class NoFatHost : public HostScheme {
public:
  NoFatHost() {
    for (unsigned Bin = 0; Bin < nofat::Bins; ++Bin)
      Mast->All[Bin] = nofat::entryOf(Bin);
  }

  uint64_t tagOf(const PlacedMemory &Of, uint64_t) override {
    std::lock_guard Lock(Mutex);
    const uint64_t At = withoutTag(Of.Address);
    const auto Now = Tags.find(At);
    const bool Same =
        nofat::binIn(At) == nofat::NoBin ||
        (Now != Tags.end() && Now->second == Of.Address >> nofat::TagShift);
    return Same ? Of.Address : Of.Address | nofat::Gone;
  }
  /// Each in a bin of its own, far behind what the compiler places.
  uint64_t tagOfLocal(uint64_t Offset, uint64_t Size, uint64_t) override {
    const unsigned Bin = nofat::binOf(Size ? Size : 1);
    const uint64_t Slots =
        Bin == nofat::NoBin ? 1 : (nofat::OffsetMask + 1) / nofat::sizeOf(Bin);
    return nofat::addressIn(Bin, Offset % Slots);
  }
  uint64_t tagOfForeign() override {
    return nofat::addressIn(nofat::NoBin, 0) + (nofat::OffsetMask >> 1);
  }
  void *table() override { return Mast.get(); }

private:
  static uint64_t withoutTag(uint64_t Address) {
    return Address & ~(nofat::TagMask << nofat::TagShift);
  }

  uint64_t taken(uint64_t Size) const override {
    const unsigned Bin = nofat::binOf(Size);
    return Bin == nofat::NoBin ? Size : nofat::sizeOf(Bin);
  }

  uint64_t choose(uint64_t Size) override {
    const unsigned Bin = nofat::binOf(Size);
    uint64_t At = 0;
    if (!Free[Bin].empty()) {
      At = Free[Bin].back();
      Free[Bin].pop_back();
    } else if (Bin == nofat::NoBin ||
               (Used[Bin] + 1) * nofat::sizeOf(Bin) > nofat::OffsetMask + 1) {
      return nofat::addressIn(nofat::NoBin, 0); // no place: it has no end
    } else {
      At = nofat::addressIn(Bin, Used[Bin]++);
    }
    const uint64_t Tag = Random() & nofat::TagMask;
    Tags[At] = Tag;
    return At | Tag << nofat::TagShift;
  }

  void release(uint64_t Address, uint64_t Size) override {
    const uint64_t At = withoutTag(Address);
    if (nofat::binIn(At) == nofat::NoBin)
      return;
    Tags.erase(At);
    Free[nofat::binOf(Size)].push_back(At);
  }

  std::array<uint64_t, nofat::Bins> Used = {};
  std::array<std::vector<uint64_t>, nofat::Bins> Free;
  std::unordered_map<uint64_t, uint64_t> Tags; ///< of what is live
  std::mt19937_64 Random{std::random_device{}()};
  std::unique_ptr<WsBins> Mast = std::make_unique<WsBins>();
};

} // namespace

std::unique_ptr<HostScheme> warpsan::makeNoFatHost() {
  return std::make_unique<NoFatHost>();
}
