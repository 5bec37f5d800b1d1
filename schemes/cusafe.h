//===- schemes/cusafe.h - CuSafe's pointers, bit by bit -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "CuSafe: Capturing Memory Corruption on NVIDIA GPUs", 2025. Memory of one
// size class, a power of two, is in one range of addresses: which class, is in
// the address. The exact size is in eight bytes in front of the memory; free
// clears it. compiler/schemes/cusafe.cpp emits what the functions here do.
//
// Pointers to private and local variables have their class in other bits. The
// paper has their epoch in the bits above, of which the uppermost one is also
// the one that says that a pointer has left its class: here epochs are no bits
// (compiler/pointers/lifetimes counts scopes).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_SCHEMES_CUSAFE_H
#define WARPSAN_SCHEMES_CUSAFE_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpsan::cusafe {

inline constexpr unsigned GlobalShift = 41, LocalShift = 48;
inline constexpr uint64_t ClassMask = 63;
inline constexpr uint64_t LocalBit = uint64_t(1) << 47;
inline constexpr uint64_t Left = uint64_t(1) << 63; ///< it has left its class
inline constexpr uint64_t HeaderBytes = 8;
inline constexpr unsigned LeastBits = 4;  ///< of a class: 16 bytes
inline constexpr unsigned ClassLess = 3;  ///< class 1 has 2^4 bytes
inline constexpr unsigned MostClass = 38; ///< whose memory fits in a range

/// Of memory with its header; 0 if there is none so large.
constexpr unsigned classOf(uint64_t Size) {
  const unsigned Bits =
      std::max(unsigned(std::bit_width(Size + HeaderBytes - 1)), LeastBits);
  return Bits - ClassLess <= MostClass ? Bits - ClassLess : 0;
}

constexpr unsigned bitsOf(uint64_t Class) {
  return unsigned(Class) + ClassLess;
}

/// Where memory of such a class begins, header included; \p At: a multiple of
/// the class's bytes, less than 2^41.
constexpr uint64_t globalBase(unsigned Class, uint64_t At) {
  return uint64_t(Class) << GlobalShift | At;
}
constexpr uint64_t localBase(unsigned Class, uint64_t At) {
  return uint64_t(Class) << LocalShift | LocalBit | At;
}

/// What a header would say of memory that is not watched.
inline constexpr uint64_t NoEnd = uint64_t(1) << 62;

constexpr uint64_t classIn(uint64_t Pointer) {
  return Pointer >> (Pointer & LocalBit ? LocalShift : GlobalShift) & ClassMask;
}

/// The bits that must not change. No memory has a class of more than MostClass,
/// but a pointer may, after arithmetic: six bits say how far.
constexpr uint64_t maskOf(uint64_t Class) {
  return ~uint64_t(0) << (bitsOf(Class) & 63);
}

/// After arithmetic: \p Out is \p In plus something.
constexpr uint64_t moved(uint64_t In, uint64_t Out) {
  return ((In ^ Out) & maskOf(classIn(In))) == 0 ? Out : Out | Left;
}

/// Where the size is.
constexpr uint64_t headerOf(uint64_t Pointer) {
  return Pointer & maskOf(classIn(Pointer));
}

/// True if \p Bytes at the pointer may be accessed, whose header says \p Size.
constexpr bool allows(uint64_t Pointer, uint64_t Bytes, uint64_t Size) {
  if (Pointer & Left)
    return false;
  const uint64_t From = Pointer - headerOf(Pointer);
  return From >= HeaderBytes && From - HeaderBytes + Bytes <= Size;
}

} // namespace warpsan::cusafe

#endif // WARPSAN_SCHEMES_CUSAFE_H
