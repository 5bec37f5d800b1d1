//===- layer/canary_place.h - where canaries are -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind a buffer is a pad (layer/padding.h), behind shared virtual memory a
// gap, or what is left of its slot (layer/svm_pool.h). With scheme=canaries
// there is a head in front of a buffer (layer/head.h), and of what clSVMAlloc
// makes.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_CANARY_PLACE_H
#define WARPSAN_LAYER_CANARY_PLACE_H

#include "layer/objects.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpsan {

/// Bytes of ours next to an argument's memory.
struct Place {
  unsigned Arg = 0;
  std::shared_ptr<const Memory> Of;    ///< the argument's
  std::shared_ptr<const Memory> Owner; ///< the whole that Of is a part of
  cl_mem Buffer = nullptr;             ///< what the driver knows Owner as; or
  char *Start = nullptr;               ///< its address
  bool InFront = false;                ///< of Owner; else behind it

  /// Of a head so many bytes are watched.
  static constexpr size_t MostInFront = 64;
  size_t size() const {
    return InFront ? std::min(Owner->Head, MostInFront) : Owner->Pad;
  }
  using Key = std::pair<const Memory *, bool>;
  Key key() const { return {Owner.get(), InFront}; }
};

/// Those of each memory once, by the first argument that has it.
std::vector<Place> placesOf(Kernel &K);

/// Different for each place and each time, so that neither what was left by
/// chance nor a copy of another canary is taken for it. Nor are zeros, small
/// numbers, text or a byte of ones: those are written most.
std::vector<uint8_t> newBytes(const Place &P);

/// Copies between a place and ours, which stay where they are until the command
/// has ended.
cl_int enqueueCopy(cl_command_queue Queue, const Place &P, uint8_t *Ours,
                   bool Write, cl_event WaitFor, cl_event *Done);

} // namespace warpsan

#endif // WARPSAN_LAYER_CANARY_PLACE_H
