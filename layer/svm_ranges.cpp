//===- layer/svm_ranges.cpp - live shared virtual memory, by address ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm_ranges.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>

using namespace warpsan;

static std::shared_mutex &Mutex = *new std::shared_mutex;
/// Start address to size; under Mutex.
static std::map<uintptr_t, size_t> &Ranges = *new std::map<uintptr_t, size_t>;

void warpsan::addSvmRange(const void *Start, size_t Size) {
  if (!Start)
    return;
  std::lock_guard Lock(Mutex);
  Ranges[reinterpret_cast<uintptr_t>(Start)] = Size;
}

void warpsan::removeSvmRange(const void *Start) {
  std::lock_guard Lock(Mutex);
  Ranges.erase(reinterpret_cast<uintptr_t>(Start));
}

size_t warpsan::svmBytesFrom(const void *Pointer) {
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  std::shared_lock Lock(Mutex);
  auto After = Ranges.upper_bound(Address);
  if (After == Ranges.begin())
    return 0;
  auto [Start, Size] = *std::prev(After);
  return Address - Start < Size ? Size - (Address - Start) : 0;
}
