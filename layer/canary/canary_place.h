//===- layer/canary/canary_place.h - where canaries are -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer is followed by padding (layer/canary/padding.h), shared virtual
// memory by a gap or the rest of its slot (layer/svm/svm_pool.h). With
// scheme=canaries there is front padding before a buffer
// (layer/schemes/front_padding.h) and before an allocation of clSVMAlloc.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_CANARY_CANARY_PLACE_H
#define WARPSAN_LAYER_CANARY_CANARY_PLACE_H

#include "layer/objects/objects.h"

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
  bool InFront = false;                ///< before Owner; else after it

  /// Bytes of front padding that are watched, those next to the memory.
  static constexpr size_t MaxInFront = 64;
  size_t size() const {
    return InFront ? std::min(Owner->FrontPad, MaxInFront) : Owner->Pad;
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

#endif // WARPSAN_LAYER_CANARY_CANARY_PLACE_H
