//===- schemes/gpushield.h - GPUShield's pointers and its checking unit ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Securing GPU via Region-based Bounds Checking", ISCA 2022. A pointer has a
// type in its upper two bits, and in the 14 below them the number of a region,
// encrypted with a key of the launch; the region's bounds are in a table. The
// bounds-checking unit of its hardware is the function bcu, for one address;
// compiler/schemes/gpushield.cpp emits the same. The paper does not say how it
// encrypts: here it is an affine permutation of the numbers.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_SCHEMES_GPUSHIELD_H
#define WARPSAN_SCHEMES_GPUSHIELD_H

#include "abi/schemes.h"

#include <cstdint>

namespace warpsan::gpushield {

inline constexpr unsigned TypeShift = 62, IdShift = 48, IdBits = 14;
inline constexpr uint64_t IdMask = (1 << IdBits) - 1;
inline constexpr uint64_t AddressMask = (uint64_t(1) << IdShift) - 1;
/// What the two upper bits say.
enum Type : uint64_t {
  Unchecked = 0, ///< nothing is to be checked
  ById = 1,      ///< by the region's number
  BySize = 2,    ///< by log2 of the region's size; it is aligned to that
};

/// How a launch encrypts: times an odd number, plus a number.
struct Key {
  uint32_t Times, Plus;
};

constexpr Key keyOf(uint64_t Secret) {
  return {uint32_t(Secret & IdMask) | 1, uint32_t(Secret >> IdBits & IdMask)};
}

/// Modulo 2^14; of an odd number.
constexpr uint32_t inverseOf(uint32_t Odd) {
  uint32_t Inverse = Odd; // three bits are right, twice as many each time
  for (int Round = 0; Round < 3; ++Round)
    Inverse *= 2 - Odd * Inverse;
  return Inverse & IdMask;
}

constexpr uint64_t encrypted(uint64_t Id, Key With) {
  return (Id * With.Times + With.Plus) & IdMask;
}
constexpr uint64_t decrypted(uint64_t Id, Key With) {
  return (Id - With.Plus) * inverseOf(With.Times) & IdMask;
}

/// What the kernel is passed of the key: to decrypt.
constexpr uint64_t wordOf(Key Of) {
  return uint64_t(Of.Plus) << 32 | inverseOf(Of.Times);
}

constexpr uint64_t pointerTo(uint64_t Address, uint64_t Id, Key With) {
  return ById << TypeShift | encrypted(Id, With) << IdShift |
         (Address & AddressMask);
}

/// True if \p Bytes at the pointer may be accessed.
inline bool bcu(uint64_t Pointer, uint64_t Bytes, bool Writes, Key With,
                const WsRegions &Table) {
  const uint64_t Address = Pointer & AddressMask;
  const uint64_t Said = Pointer >> IdShift & IdMask;
  switch (Pointer >> TypeShift) {
  case ById: {
    const WsRegion &R = Table.All[decrypted(Said, With)];
    const uint64_t Offset = Address - (R.Base & AddressMask);
    return (R.Base & WS_REGION_VALID) && R.Size >= Bytes &&
           Offset <= R.Size - Bytes &&
           !(Writes && R.Base & WS_REGION_READ_ONLY);
  }
  default:
    return true;
  }
}

} // namespace warpsan::gpushield

#endif // WARPSAN_SCHEMES_GPUSHIELD_H
