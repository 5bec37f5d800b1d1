//===- layer/objects/memory_state.cpp - state of memory that launches
// share ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/memory_state.h"

using namespace warpsan;

IndexRangeTable::Entry *IndexRangeTable::find(const Content &Field,
                                              uint64_t Version) {
  auto It = std::ranges::find_if(Entries, [&](const Entry &Each) {
    return Each.Field == Field && Each.Version == Version;
  });
  return It == Entries.end() ? nullptr : &*It;
}

IndexRangeTable::Entry *IndexRangeTable::findOrAdd(const Content &Field,
                                                   uint64_t Version) {
  constexpr size_t MaxEntries = 8;
  if (Entry *Found = find(Field, Version))
    return Found;
  // Replaces an earlier version: of the same field, or else of any.
  auto Old = std::ranges::find(Entries, Field, &Entry::Field);
  if (Old == Entries.end() && Entries.size() < MaxEntries)
    Old = Entries.emplace(Old);
  if (Old == Entries.end())
    Old = std::ranges::find_if(
        Entries, [&](const Entry &Each) { return Each.Version != Version; });
  if (Old == Entries.end())
    return nullptr;
  const unsigned Unused =
      Old->Field == Field
          ? Old->Unused + (Old->Progress == State::Known && !Old->Used)
          : 0;
  *Old = {};
  Old->Field = Field;
  Old->Version = Version;
  Old->Unused = Unused;
  return &*Old;
}

IndexRangeTable::Lookup IndexRangeTable::lookup(const Content &Field,
                                                uint64_t Version) {
  // So many ranges that no launch used: the field changes with every launch.
  constexpr unsigned MaxUnused = 3;
  std::lock_guard Lock(Mutex);
  Entry *Range = findOrAdd(Field, Version);
  if (Range && Range->Progress == State::Known) {
    Range->Used = true;
    return {Range->Result, false};
  }
  if (!Range || Range->Progress != State::Unknown ||
      Range->Unused > MaxUnused || ++Range->Lookups < 2)
    return {};
  Range->Progress = State::Measuring;
  return {std::nullopt, true};
}

void IndexRangeTable::measured(const Content &Field, uint64_t Version,
                               Range Result) {
  std::lock_guard Lock(Mutex);
  if (Entry *Found = find(Field, Version)) {
    Found->Progress = State::Known;
    Found->Result = Result;
  }
}

void IndexRangeTable::failed(const Content &Field, uint64_t Version) {
  std::lock_guard Lock(Mutex);
  if (Entry *Found = find(Field, Version))
    Found->Progress = State::Failed;
}

void IndexRangeTable::discard(const Content &Field, uint64_t Version) {
  std::lock_guard Lock(Mutex);
  if (Entry *Found = find(Field, Version))
    Found->Version = ~uint64_t(0); // no contents have it
}

static std::atomic<uint64_t> Epoch = 0;

void warpsan::noteSvmChange() { Epoch.fetch_add(1, std::memory_order_relaxed); }

bool warpsan::svmWasAllocated() { return svmEpoch() != 0; }

uint64_t warpsan::svmEpoch() { return Epoch.load(std::memory_order_relaxed); }

/// Padding costs a copy of a buffer's initial contents, and most programs never
/// need any.
static std::atomic<bool> CanariesExpected = false;

void warpsan::expectCanaries() { CanariesExpected.store(true); }

bool warpsan::areCanariesExpected() { return CanariesExpected.load(); }
