//===- layer/memory.h - what the layer does when memory runs out ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that we are in must not notice that we need memory. The layer has
// an operator new of its own (nobody else's code calls it, and it calls nobody
// else's: the C++ library is inside of the layer). Where malloc fails, small
// pieces come from a reserve. When much of that is gone the layer steps aside:
// launches are native from then on, which the summary tells as a gap, and
// nothing more is written down about what the program makes.
//
// What is too large for the reserve throws std::bad_alloc. Where large pieces
// are asked for (programs, products, binaries) it is caught at once; the guard
// before every entry point (layer/guard.cpp) is the last resort.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_MEMORY_H
#define WARPSAN_LAYER_MEMORY_H

#include <atomic>
#include <new>

namespace warpsan {

/// Why launches are native once the layer has stepped aside.
inline constexpr const char *NoMemory =
    "WarpSan could not get the memory that it needs";

inline constinit std::atomic<bool> SteppedAside = false;

/// True if nothing more is to be written down, and no twin to be launched.
inline bool isAside() { return SteppedAside.load(std::memory_order_relaxed); }

void stepAside();

/// Runs \p Note, which writes down what the layer has learned. If there is no
/// memory for it, the layer steps aside: what it knows is no longer all.
template <typename F> void noteIfPossible(const F &Note) {
  if (isAside())
    return;
  try {
    Note();
  } catch (const std::bad_alloc &) {
    stepAside();
  }
}

} // namespace warpsan

#endif // WARPSAN_LAYER_MEMORY_H
