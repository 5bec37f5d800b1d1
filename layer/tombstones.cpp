//===- layer/tombstones.cpp - memory objects that were released -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/tombstones.h"

#include <deque>
#include <mutex>
#include <unordered_map>

using namespace warpsan;

/// More than so many at once are not remembered: the oldest go.
static constexpr size_t Most = 65536;

static std::mutex &Mutex = *new std::mutex;
/// Under Mutex, as Order.
static auto &Buried =
    *new std::unordered_map<cl_mem, std::shared_ptr<const Memory>>;
/// In the order they came; those that were dug up since are still in it.
static auto &Order = *new std::deque<cl_mem>;

static bool Stopped = false; ///< under Mutex

void warpsan::stopBurying() {
  std::lock_guard Lock(Mutex);
  Stopped = true;
  Buried.clear();
  Order.clear();
}

void warpsan::bury(cl_mem Handle, std::shared_ptr<const Memory> Of) {
  std::lock_guard Lock(Mutex);
  if (Stopped)
    return;
  Buried[Handle] = std::move(Of);
  Order.push_back(Handle);
  if (Order.size() > Most) {
    Buried.erase(Order.front());
    Order.pop_front();
  }
}

void warpsan::exhume(cl_mem Handle) {
  std::lock_guard Lock(Mutex);
  Buried.erase(Handle);
}

std::shared_ptr<const Memory> warpsan::buriedAt(cl_mem Handle) {
  std::lock_guard Lock(Mutex);
  auto Found = Buried.find(Handle);
  return Found == Buried.end() ? nullptr : Found->second;
}
