//===- layer/objects/tombstones.cpp - handles that the application has let go
// of ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/tombstones.h"

#include "layer/process/no_destructor.h"
#include "layer/process/reserve.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <unordered_map>

using namespace warpsan;

/// More than so many at once are not remembered: the oldest go.
static constexpr size_t MaxTombstones = 65536;

static std::mutex &Mutex = noDestructor<std::mutex>();
/// Under Mutex, as Order.
static auto &Buried = noDestructor<
    std::unordered_map<const void *, std::shared_ptr<const Life>>>();
/// In the order they came; those that were dug up since are still in it.
static auto &Order = noDestructor<std::deque<const void *>>();

static bool Stopped = false; ///< under Mutex

/// How many of Buried fall into each of these places. Every call with a handle
/// asks whether it is buried; where there is a zero it is not, and no lock is
/// taken. Changes under Mutex, and never has more than MaxTombstones in one
/// place.
static std::array<std::atomic<uint32_t>, 4 * MaxTombstones> InPlace;

static std::atomic<uint32_t> &placeOf(const void *Handle) {
  // Handles are heap addresses: the low bits carry nothing.
  auto Bits = reinterpret_cast<uintptr_t>(Handle) >> 4;
  return InPlace[(Bits ^ Bits >> 18) % InPlace.size()];
}

static bool mayBeBuried(const void *Handle) {
  return placeOf(Handle).load(std::memory_order_relaxed) != 0;
}

/// With Mutex held.
static void erase(const void *Handle) {
  if (Buried.erase(Handle))
    placeOf(Handle).fetch_sub(1, std::memory_order_relaxed);
}

void warpsan::stopBurying() {
  std::lock_guard Lock(Mutex);
  Stopped = true;
  while (!Buried.empty())
    erase(Buried.begin()->first);
  Order.clear();
}

void warpsan::bury(const void *Handle, std::shared_ptr<const Life> Of) {
  if (isPassThrough())
    return;
  std::lock_guard Lock(Mutex);
  if (Stopped)
    return;
  if (Buried.insert_or_assign(Handle, std::move(Of)).second)
    placeOf(Handle).fetch_add(1, std::memory_order_relaxed);
  Order.push_back(Handle);
  if (Order.size() > MaxTombstones) {
    erase(Order.front());
    Order.pop_front();
  }
}

void warpsan::exhume(const void *Handle) {
  if (!mayBeBuried(Handle))
    return;
  std::lock_guard Lock(Mutex);
  erase(Handle);
}

std::shared_ptr<const Life> warpsan::buriedAt(const void *Handle) {
  // In pass-through mode the layer does not see handles that are reused.
  if (!mayBeBuried(Handle) || isPassThrough())
    return nullptr;
  std::lock_guard Lock(Mutex);
  auto Found = Buried.find(Handle);
  return Found == Buried.end() ? nullptr : Found->second;
}
