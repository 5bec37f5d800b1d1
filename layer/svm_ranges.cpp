//===- layer/svm_ranges.cpp - live shared virtual memory, by address ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm_ranges.h"

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

using namespace warpsan;

static std::shared_mutex &Mutex = *new std::shared_mutex;
/// By start address; under Mutex.
static auto &Ranges = *new std::map<uintptr_t, std::shared_ptr<const Memory>>;
static std::atomic<uint64_t> Epoch = 0; ///< raised under Mutex

void warpsan::addSvmRange(const void *Start, size_t Size, Memory::Kind What,
                          cl_mem_flags Flags, const char *Call) {
  if (!Start)
    return;
  auto M = std::make_shared<Memory>();
  M->What = What;
  M->Flags = Flags;
  M->Size = Size;
  M->CreatedBy = Call;
  M->Created = captureBacktrace();
  std::lock_guard Lock(Mutex);
  Ranges[reinterpret_cast<uintptr_t>(Start)] = std::move(M);
  Epoch.fetch_add(1, std::memory_order_relaxed);
}

void warpsan::removeSvmRange(const void *Start) {
  std::lock_guard Lock(Mutex);
  if (Ranges.erase(reinterpret_cast<uintptr_t>(Start)))
    Epoch.fetch_add(1, std::memory_order_relaxed);
}

SvmPlace warpsan::svmPlaceOf(const void *Pointer) {
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  std::shared_lock Lock(Mutex);
  auto After = Ranges.upper_bound(Address);
  if (After == Ranges.begin())
    return {};
  const auto &[Start, M] = *std::prev(After);
  if (Address - Start >= M->Size)
    return {};
  return {M, Address - Start};
}

bool warpsan::svmWasAllocated() { return svmEpoch() != 0; }

uint64_t warpsan::svmEpoch() { return Epoch.load(std::memory_order_relaxed); }
