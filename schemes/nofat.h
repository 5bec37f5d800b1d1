//===- schemes/nofat.h - No-FAT's bins, bases and checks ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "No-FAT: Architectural Support for Low Overhead Memory Safety Checks", ISCA
// 2021. The heap is 64 bins of 2 GiB, each with memory of one size: so base and
// size of what a pointer is to follow from its address and a table of the bins'
// sizes, the MAST. Accesses have a second operand, the base that is trusted.
// Pointers have 16 random bits, those of their allocation.
// compiler/schemes/nofat.cpp emits what the functions here do.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_SCHEMES_NOFAT_H
#define WARPSAN_SCHEMES_NOFAT_H

#include "abi/schemes.h"

#include <bit>
#include <cstdint>

namespace warpsan::nofat {

inline constexpr unsigned TagShift = 48;
inline constexpr uint64_t TagMask = 0xffff;
/// Set in an argument whose memory's bits are others by now: the base that
/// computeBase gives has it not.
inline constexpr uint64_t Gone = uint64_t(1) << 47;
inline constexpr uint64_t Heap = uint64_t(1) << 37;
inline constexpr unsigned BinShift = 31, Bins = 64;
inline constexpr uint64_t OffsetMask = (uint64_t(1) << BinShift) - 1;
/// Of memory that is not from here: it has no end.
inline constexpr unsigned NoBin = Bins - 1;
inline constexpr uint64_t NoEnd = uint64_t(1) << 46;
/// Sizes are multiples of eight: so much less to divide.
inline constexpr unsigned UnitShift = 3, InverseBits = 36;
inline constexpr unsigned LeastBits = 4;

/// The smallest that holds \p Size bytes: 1 has 16, then 24, 32, 48, 64, ... up
/// to 2 GiB; NoBin if none does. Of 0 there is nothing.
constexpr unsigned binOf(uint64_t Size) {
  const unsigned Bits = unsigned(std::bit_width(Size - 1));
  if (Bits <= LeastBits)
    return 1;
  if (Bits > BinShift)
    return NoBin;
  return 1 + 2 * (Bits - LeastBits) - (Size <= uint64_t(3) << (Bits - 2));
}

constexpr uint64_t sizeOf(unsigned Bin) {
  if (Bin == NoBin)
    return NoEnd;
  const unsigned Bits = LeastBits + Bin / 2;
  if (Bin == 0 || Bits > BinShift)
    return 0;
  return Bin % 2 ? uint64_t(1) << Bits : uint64_t(3) << (Bits - 2);
}

constexpr WsBin entryOf(unsigned Bin) {
  const uint64_t Size = sizeOf(Bin), Units = Size >> UnitShift;
  const bool Divides = Size && Bin != NoBin;
  return {Size, Divides ? (uint64_t(1) << InverseBits) / Units + 1 : 0};
}

constexpr unsigned binIn(uint64_t Pointer) {
  return unsigned(Pointer >> BinShift & (Bins - 1));
}

/// The first byte of a bin's \p Slot.
constexpr uint64_t addressIn(unsigned Bin, uint64_t Slot) {
  return Heap + (uint64_t(Bin) << BinShift) +
         (Bin == NoBin ? 0 : Slot * sizeOf(Bin));
}

/// Where the allocation begins that \p Pointer is to, wherever that is.
constexpr uint64_t computeBase(uint64_t Pointer, const WsBins &Mast) {
  const WsBin &Of = Mast.All[binIn(Pointer)];
  const uint64_t Offset = Pointer & OffsetMask, Units = Offset >> UnitShift;
  uint64_t Start = (Units * Of.Inverse >> InverseBits) * Of.Size;
  if (Start > Offset) // the inverse is rounded up
    Start -= Of.Size;
  return (Pointer & ~Gone) - (Offset - Start);
}

/// A secure load or store: true if \p Bytes at the pointer may be accessed.
constexpr bool allows(uint64_t Pointer, uint64_t Base, uint64_t Bytes,
                      const WsBins &Mast) {
  const uint64_t Size = Mast.All[binIn(Base)].Size, Offset = Pointer - Base;
  return Bytes <= Size && Offset <= Size - Bytes;
}

} // namespace warpsan::nofat

#endif // WARPSAN_SCHEMES_NOFAT_H
