//===- layer/process/reserve.h - what the layer does when memory runs out -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that we are in must not notice that we need memory. The layer has
// an operator new of its own (nobody else's code calls it, and it calls nobody
// else's: the C++ library is inside of the layer). Where malloc fails, small
// pieces come from a reserve. When much of that is gone the layer enters
// pass-through mode: launches are native from then on, which the summary lists
// as a gap, and the layer records no more objects of the program.
//
// What is too large for the reserve throws std::bad_alloc. Where large pieces
// are asked for (programs, products, binaries) it is caught at once; the guard
// before every entry point (layer/api/guard.cpp) is the last resort.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_RESERVE_H
#define WARPSAN_LAYER_PROCESS_RESERVE_H

#include <atomic>
#include <new>

namespace warpsan {

/// Why launches are native in pass-through mode.
inline constexpr const char *NoMemory =
    "WarpSan could not get the memory that it needs";

inline constinit std::atomic<bool> PassThrough = false;

/// True if the layer is to record nothing more and to launch no twin.
inline bool isPassThrough() {
  return PassThrough.load(std::memory_order_relaxed);
}

void enterPassThrough();

/// Runs \p Note, which records what the layer has learned. If there is no
/// memory for it, the layer enters pass-through mode: its records are
/// incomplete.
template <typename F> void noteIfPossible(const F &Note) {
  if (isPassThrough())
    return;
  try {
    Note();
  } catch (const std::bad_alloc &) {
    enterPassThrough();
  }
}

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_RESERVE_H
