//===- schemes/lmi.h - Let-Me-In's pointers, bit by bit -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Let-Me-In: (Still) Employing In-pointer Bounds Metadata for Fine-grained GPU
// Memory Safety", HPCA 2025. The size of a buffer, a power of two, is in the
// upper five bits of its pointers, its extent. The bits between these and the
// size's own must not change. The two units of its hardware are the functions
// ocu and ec; compiler/schemes/lmi.cpp emits the same.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_SCHEMES_LMI_H
#define WARPSAN_SCHEMES_LMI_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpsan::lmi {

inline constexpr unsigned ExtentShift = 59;
inline constexpr uint64_t AddressMask = (uint64_t(1) << ExtentShift) - 1;
inline constexpr unsigned LeastBits = 8; ///< K = 256 bytes
inline constexpr unsigned MostExtent = 31;

/// E = ceil(max(log2 K, log2 S)) - log2 K + 1; 0 if no pointer can say it.
constexpr unsigned extentOf(uint64_t Size) {
  const unsigned Bits = Size <= 1 ? 0 : unsigned(std::bit_width(Size - 1));
  const unsigned Extent = std::max(Bits, LeastBits) - LeastBits + 1;
  return Extent <= MostExtent ? Extent : 0;
}

/// log2 of the bytes that such a pointer may move over.
constexpr unsigned bitsOf(unsigned Extent) { return Extent + LeastBits - 1; }

/// The bits that must not change: all above, the extent included.
constexpr uint64_t maskOf(unsigned Extent) {
  return ~uint64_t(0) << bitsOf(Extent);
}

/// \p Address is a multiple of the rounded size.
constexpr uint64_t pointerTo(uint64_t Address, uint64_t Size) {
  return uint64_t(extentOf(Size)) << ExtentShift | Address;
}

/// The overflow checking unit, in each integer unit: \p In is the operand that
/// was the pointer, \p Out the result.
constexpr uint64_t ocu(uint64_t In, uint64_t Out) {
  const unsigned Extent = unsigned(In >> ExtentShift);
  return ((In ^ Out) & maskOf(Extent)) == 0 ? Out : Out & AddressMask;
}

/// The extent checker, before each load and store: true if it goes on.
constexpr bool ec(uint64_t Pointer) { return Pointer >> ExtentShift != 0; }

} // namespace warpsan::lmi

#endif // WARPSAN_SCHEMES_LMI_H
