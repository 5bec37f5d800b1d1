//===- layer/svm/svm_neighbors.cpp - allocations next to one --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looked for once a finding, so by asking of one address after the other.
//
//===----------------------------------------------------------------------===//
#include "layer/svm/svm_neighbors.h"

#include "layer/svm/svm_ranges.h"

#include <algorithm>

using namespace warpsan;

/// Bytes that are looked through on each side, and no allocation starts
/// between two addresses that are looked at.
static constexpr uintptr_t Reach = 64 << 10, Step = 16;

static void add(std::vector<NearMemory> &Found, const NearMemory &New) {
  for (const NearMemory &Old : Found)
    if (Old.Of == New.Of)
      return;
  Found.push_back(New);
}

/// True if there is memory other than \p Of at \p Address.
static bool addAt(std::vector<NearMemory> &Found,
                  const std::shared_ptr<const Memory> &Of, uintptr_t Address) {
  const SvmPlace Place = svmPlaceOf(reinterpret_cast<void *>(Address));
  // An address right behind is the memory's own, but not in it.
  if (!Place.Of || Place.Of == Of || Place.Offset >= Place.Of->Size)
    return false;
  add(Found, {Place.Of, Address - Place.Offset});
  return true;
}

std::vector<NearMemory>
warpsan::svmNear(const std::shared_ptr<const Memory> &Of, uintptr_t Start,
                 uintptr_t Access) {
  std::vector<NearMemory> Found;
  addAt(Found, Of, Access);
  const uintptr_t End = (Start + Of->Size + Step - 1) / Step * Step;
  for (uintptr_t Away = 0; Away < Reach; Away += Step)
    if (addAt(Found, Of, End + Away))
      break;
  for (uintptr_t Away = Step; Away < std::min(Reach, Start); Away += Step)
    if (addAt(Found, Of, Start / Step * Step - Away))
      break;
  std::ranges::sort(Found, {}, &NearMemory::Start);
  return Found;
}
