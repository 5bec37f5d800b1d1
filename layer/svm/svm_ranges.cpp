//===- layer/svm/svm_ranges.cpp - shared virtual memory, by address -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/svm_ranges.h"

#include "layer/process/no_destructor.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/schemes/schemes.h"
#include "layer/svm/arg_bounds.h"
#include "layer/svm/heap_map.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_pool.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <vector>

using namespace warpsan;

namespace {

struct Allocation {
  std::shared_ptr<const Memory> Of;
  WsBlock *Block = nullptr; ///< null: twins do not know of it
  bool isDead() const { return Of->Released.load() != nullptr; }
};

struct Quarantined {
  std::shared_ptr<Context> Of; ///< which must live as long as its memory
  uintptr_t Start;
  size_t Size;
  std::function<void()> Free;
};

} // namespace

/// Guards what the driver places; what we place is in layer/svm/svm_pool.
static std::shared_mutex &Mutex = noDestructor<std::shared_mutex>();
/// By start address; under Mutex.
static auto &Ranges = noDestructor<std::map<uintptr_t, Allocation>>();
/// Dead ones, the oldest first; under Mutex.
static auto &Quarantine = noDestructor<std::deque<Quarantined>>();
static size_t QuarantineBytes = 0; ///< under Mutex

/// Its address may be handed out again.
static void forget(const Quarantined &Old) {
  QuarantineBytes -= Old.Size;
  auto Found = Ranges.find(Old.Start);
  if (Found->second.Block)
    removeBlock(Found->second.Block);
  Ranges.erase(Found);
}

/// Takes the oldest out until no more than the options allow are left.
static std::vector<Quarantined> takeOldest() {
  const auto Bytes = static_cast<size_t>(settings().quarantine_size_mb) << 20;
  const auto Count = static_cast<size_t>(settings().quarantine_count);
  std::vector<Quarantined> Taken;
  while (!Quarantine.empty() &&
         (QuarantineBytes > Bytes || Quarantine.size() > Count)) {
    Taken.push_back(std::move(Quarantine.front()));
    Quarantine.pop_front();
    forget(Taken.back());
  }
  return Taken;
}

static void freeAll(const std::vector<Quarantined> &Taken) {
  for (const Quarantined &Old : Taken)
    Old.Free();
}

size_t warpsan::withGap(size_t Size) {
  const bool Wraps = Size + BlockGap < Size;
  return Size && !Wraps && wantChecks() ? Size + BlockGap : Size;
}

bool warpsan::addSvmRange(cl_context Context, const void *Start, size_t Size,
                          Memory::Kind What, cl_mem_flags Flags,
                          const char *Call, size_t FrontPad) {
  if (!Start || isPassThrough())
    return false;
  auto M = std::make_shared<Memory>();
  M->What = What;
  M->Flags = Flags;
  M->Size = Size;
  M->Pad = withGap(Size) - Size;
  M->FrontPad = FrontPad;
  M->CreatedBy = Call;
  M->Context = Context;
  M->Created = captureBacktrace();
  const WsU64 Rights = rightsOf(*M);
  placeInScheme(*M);
  forgetSlotsAt(Start, Size);
  forgetObjectsIn(Start, Size, Call); // of what was there before
  std::lock_guard Lock(Mutex);
  Ranges[reinterpret_cast<uintptr_t>(Start)] = {std::move(M),
                                                addBlock(Start, Size, Rights)};
  noteSvmChange();
  return true;
}

/// The allocation around or right before \p Address; the end if there is none.
/// Under Mutex.
static auto find(uintptr_t Address) {
  auto After = Ranges.upper_bound(Address);
  if (After == Ranges.begin())
    return Ranges.end();
  auto Before = std::prev(After);
  return Address - Before->first <= Before->second.Of->Size ? Before
                                                            : Ranges.end();
}

/// What an address is that is to be freed. Under Mutex.
static FreedIs judge(uintptr_t Address) {
  auto Found = find(Address);
  if (Found == Ranges.end())
    return FreedIs::Unknown;
  if (Found->second.isDead())
    return FreedIs::Dead;
  return Found->first == Address ? FreedIs::Live : FreedIs::Interior;
}

FreedIs warpsan::freeSvmRange(cl_context Context, const void *Start,
                              const char *Call,
                              const std::function<void()> &Free) {
  if (auto What = freeSlot(Start, Call))
    return *What;
  std::shared_ptr<warpsan::Context> Of = contextOf(Context);
  const auto Address = reinterpret_cast<uintptr_t>(Start);
  std::vector<Quarantined> Taken;
  {
    std::lock_guard Lock(Mutex);
    if (FreedIs What = judge(Address); What != FreedIs::Live)
      return What;
    Allocation &A = Ranges[Address];
    A.Of->release(Call);
    freeInScheme(*A.Of);
    if (A.Block)
      killBlock(A.Block);
    Quarantine.push_back({std::move(Of), Address, A.Of->Size, Free});
    QuarantineBytes += A.Of->Size;
    noteSvmChange();
    Taken = takeOldest();
  }
  // Without the lock: the driver may call back.
  freeAll(Taken);
  return FreedIs::Live;
}

FreedIs warpsan::freeSvmRangeAtOnce(const void *Start, const char *Call,
                                    const std::function<void()> &Free) {
  if (auto What = freeSlot(Start, Call))
    return *What;
  const auto Address = reinterpret_cast<uintptr_t>(Start);
  std::unique_lock Lock(Mutex);
  if (FreedIs What = judge(Address); What != FreedIs::Live)
    return What;
  const Allocation Old = Ranges[Address];
  Lock.unlock();
  Free();
  Lock.lock();
  if (Old.Block)
    removeBlock(Old.Block);
  // Another thread may have been given the address meanwhile.
  if (auto Found = Ranges.find(Address);
      Found != Ranges.end() && Found->second.Of == Old.Of)
    Ranges.erase(Found);
  noteSvmChange();
  return FreedIs::Live;
}

void warpsan::emptyQuarantine(cl_context Context) {
  std::vector<Quarantined> Taken;
  {
    std::lock_guard Lock(Mutex);
    auto Going = std::stable_partition(
        Quarantine.begin(), Quarantine.end(),
        [&](const Quarantined &Q) { return Q.Of->Handle != Context; });
    std::move(Going, Quarantine.end(), std::back_inserter(Taken));
    Quarantine.erase(Going, Quarantine.end());
    std::for_each(Taken.begin(), Taken.end(), forget);
  }
  freeAll(Taken);
  emptySlots(Context);
}

SvmPlace warpsan::svmPlaceOf(const void *Pointer) {
  if (auto Slot = slotPlaceOf(Pointer))
    return *Slot;
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  std::shared_lock Lock(Mutex);
  auto Found = find(Address);
  if (Found == Ranges.end())
    return {};
  WsBlock *Block = Found->second.Block;
  return {Found->second.Of, Address - Found->first,
          Block ? &Block->Size : nullptr};
}

void warpsan::forEachLiveSvm(
    const std::function<void(const std::shared_ptr<const Memory> &)> &Visit) {
  forEachLiveSlot(Visit);
  std::shared_lock Lock(Mutex);
  for (const auto &[Start, A] : Ranges)
    if (!A.isDead())
      Visit(A.Of);
}
