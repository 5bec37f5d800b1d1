//===- layer/process/reserve.cpp - operator new, and a reserve ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/reserve.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <utility>

using namespace warpsan;

void warpsan::enterPassThrough() { PassThrough.store(true); }

// A sanitizer brings its own, for the whole process.
#ifndef WARPSAN_SANITIZED

namespace {

/// Memory for when there is none. Pages that nobody writes to take none; used
/// before static constructors have run, so it has none to run.
class Reserve {
public:
  /// Null if it is too much, or nothing is left.
  void *take(size_t Size, size_t Align) {
    const size_t Piece = std::bit_ceil(std::max(Size, MinPiece));
    if (Piece > MaxPiece || Align > MinPiece)
      return nullptr;
    const auto Class = static_cast<unsigned>(std::countr_zero(Piece));
    const Locked Lock(*this);
    if (!Lock.Held)
      return nullptr;
    void *Found = Free[Class];
    if (Found) {
      Free[Class] = *static_cast<void **>(Found);
    } else {
      if (Used + Piece > sizeof(Bytes))
        return nullptr;
      Found = Bytes + Used;
      Classes[Used / MinPiece] = static_cast<uint8_t>(Class);
      Used += Piece;
    }
    if (Used > sizeof(Bytes) / 4)
      enterPassThrough();
    return Found;
  }

  bool has(const void *Pointer) const {
    return static_cast<size_t>(static_cast<const char *>(Pointer) - Bytes) <
           sizeof(Bytes);
  }

  void giveBack(void *Piece) {
    const Locked Lock(*this);
    if (!Lock.Held)
      return;
    const unsigned Class =
        Classes[(static_cast<char *>(Piece) - Bytes) / MinPiece];
    *static_cast<void **>(Piece) = std::exchange(Free[Class], Piece);
  }

private:
  /// Bytes of a piece; pieces are powers of two, aligned to MinPiece.
  static constexpr size_t MinPiece = 64, MaxPiece = 256 << 10;

  /// Held for a few instructions. A fork in between, with another thread
  /// holding it, would leave the child without its reserve, not without life:
  /// it gives up after a while, and the reserve must not be used then.
  struct Locked {
    explicit Locked(Reserve &Of) : Of(Of) {
      for (int Try = 0; Try < 10'000; ++Try) {
        Held = !Of.Busy.test_and_set(std::memory_order_acquire);
        if (Held)
          return;
        std::this_thread::yield(); // who holds it may not be running
      }
    }
    ~Locked() {
      if (Held)
        Of.Busy.clear(std::memory_order_release);
    }
    Locked(const Locked &) = delete;
    Reserve &Of;
    bool Held = false;
  };

  alignas(MinPiece) char Bytes[4 << 20] = {};
  uint8_t Classes[sizeof(Bytes) / MinPiece] = {}; ///< of pieces, by their start
  void *Free[32] = {};                            ///< by class: lists
  size_t Used = 0;                                ///< of Bytes
  std::atomic_flag Busy;
};

constinit Reserve TheReserve;

} // namespace

// The other forms are the C++ library's, which come here.

void *operator new(size_t Size) {
  if (void *Got = std::malloc(std::max<size_t>(Size, 1)))
    return Got;
  if (void *Got = TheReserve.take(Size, 1))
    return Got;
  throw std::bad_alloc();
}

void *operator new(size_t Size, std::align_val_t Align) {
  const auto Alignment = static_cast<size_t>(Align);
  const size_t Whole =
      (std::max<size_t>(Size, 1) + Alignment - 1) & ~(Alignment - 1);
  if (void *Got = std::aligned_alloc(Alignment, Whole))
    return Got;
  if (void *Got = TheReserve.take(Whole, Alignment))
    return Got;
  throw std::bad_alloc();
}

void operator delete(void *Pointer) noexcept {
  if (TheReserve.has(Pointer))
    TheReserve.giveBack(Pointer);
  else
    std::free(Pointer);
}

void operator delete(void *Pointer, std::align_val_t) noexcept {
  operator delete(Pointer);
}

#endif // WARPSAN_SANITIZED
