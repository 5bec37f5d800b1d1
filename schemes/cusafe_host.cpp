//===- schemes/cusafe_host.cpp - CuSafe's allocator -----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are random within the range of their class, and none is given
// twice. Of the memory there only the header exists: kernels read it where the
// paper has it, and find the rest where the driver has put it. Headers of freed
// memory stay, with a size of 0.
//
//===----------------------------------------------------------------------===//
#include "schemes/host.h"

#include "schemes/cusafe.h"

#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_set>

using namespace warpsan;

namespace {

class CuSafeHost : public HostScheme {
public:
  uint64_t tagOf(const PlacedMemory &Of, uint64_t) override {
    return (Of.Address ? Of.Address : tagOfForeignBase()) + cusafe::HeaderBytes;
  }
  uint64_t moved(uint64_t Tag, uint64_t Offset) override {
    return cusafe::moved(Tag, Tag + Offset);
  }
  /// The paper leaves dynamic shared memory alone: in the middle of what has no
  /// end, as far as arithmetic can tell.
  uint64_t tagOfLocal(uint64_t, uint64_t, uint64_t) override {
    return cusafe::localBase(cusafe::MostClass, Middle);
  }
  /// In the middle of memory that is as large as any.
  uint64_t tagOfForeign() override { return tagOfForeignBase() + Middle; }
  /// Read where there is no header to be read.
  void *table() override { return &None; }

private:
  uint64_t tagOfForeignBase() {
    std::lock_guard Lock(Mutex);
    if (!Foreign) {
      Foreign = cusafe::globalBase(cusafe::MostClass, 0);
      if (uint64_t *Header = headerAt(Foreign))
        *Header = cusafe::NoEnd;
    }
    return Foreign;
  }

  /// What the paper maps: the size, and what was asked for.
  uint64_t taken(uint64_t Size) const override {
    return Size + cusafe::HeaderBytes;
  }

  uint64_t choose(uint64_t Size) override {
    const unsigned Class = cusafe::classOf(Size);
    if (Class == 0)
      return 0;
    const uint64_t Places = uint64_t(1)
                            << (cusafe::GlobalShift - cusafe::bitsOf(Class));
    for (int Try = 0; Try < 64; ++Try) {
      const uint64_t At =
          cusafe::globalBase(Class, Random() % Places << cusafe::bitsOf(Class));
      if (!Used.insert(At).second)
        continue;
      if (uint64_t *Header = headerAt(At)) {
        *Header = Size;
        return At;
      }
    }
    return 0; // no place: not watched
  }

  void release(uint64_t Address, uint64_t) override {
    if (Address)
      *pointerTo(Address) = 0;
  }

  static uint64_t *pointerTo(uint64_t Address) {
    return reinterpret_cast<uint64_t *>(Address); // NOLINT: chosen by us
  }

  /// Null if something else is there.
  uint64_t *headerAt(uint64_t Address) {
    static const uint64_t Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t From = Address & ~(Page - 1);
    if (Pages.insert(From).second &&
        mmap(pointerTo(From), Page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
             0) != pointerTo(From)) {
      Pages.erase(From);
      return nullptr;
    }
    return pointerTo(Address);
  }

  static constexpr uint64_t Middle = uint64_t(1)
                                     << (cusafe::bitsOf(cusafe::MostClass) - 1);
  uint64_t None[1] = {0};
  uint64_t Foreign = 0;
  std::unordered_set<uint64_t> Used, Pages;
  std::mt19937_64 Random{std::random_device{}()};
};

} // namespace

std::unique_ptr<HostScheme> warpsan::makeCuSafeHost() {
  return std::make_unique<CuSafeHost>();
}
