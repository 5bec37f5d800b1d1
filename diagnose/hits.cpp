//===- diagnose/hits.cpp - which part of an NDRange failed ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/hits.h"

#include "abi/launch.h"

#include <algorithm>

using namespace warpsan;

namespace {

/// Bits of a cell's number for each dimension, in a record.
std::array<uint32_t, 3> bitsOf(const std::array<uint64_t, 3> &Global) {
  const uint32_t Dimensions = WS_HIT_DIMENSIONS(Global[1], Global[2]);
  return {WS_HIT_BITS_X(Dimensions), WS_HIT_BITS_Y(Dimensions),
          WS_HIT_BITS_Z(Dimensions)};
}

} // namespace

HitMap warpsan::emptyHitMap(const std::array<uint64_t, 3> &Global) {
  const std::array<uint32_t, 3> Bits = bitsOf(Global);
  HitMap Map;
  for (size_t I = 0; I < 3; ++I) {
    if (Bits[I] == 0)
      continue;
    const uint32_t Shift = wsHitShift(Global[I], Bits[I]);
    Map.Each[I] = uint64_t{1} << Shift;
    Map.Cells[I] = static_cast<uint32_t>((Global[I] - 1) >> Shift) + 1;
  }
  Map.Hit.assign(size_t{Map.Cells[0]} * Map.Cells[1] * Map.Cells[2], false);
  return Map;
}

bool HitMap::isValid() const {
  size_t Count = 1;
  for (size_t I = 0; I < 3; ++I) {
    if (Cells[I] < 1 || Cells[I] > WS_HIT_CELLS || Each[I] < 1)
      return false;
    Count *= Cells[I];
  }
  return Count <= WS_HIT_CELLS && Count == Hit.size();
}

size_t HitMap::cellOf(const std::array<uint64_t, 3> &Id) const {
  size_t Cell = 0;
  for (size_t I = 3; I-- > 0;)
    Cell = Cell * Cells[I] + std::min<uint64_t>(Id[I] / Each[I], Cells[I] - 1);
  return Cell;
}

uint64_t warpsan::launchWord(uint64_t Number,
                             const std::array<uint64_t, 3> &Global) {
  const std::array<uint32_t, 3> Bits = bitsOf(Global);
  uint64_t Above = 0;
  for (size_t I = 0; I < 3; ++I)
    if (Bits[I])
      Above |= uint64_t{wsHitShift(Global[I], Bits[I])} << 6 * I;
  Above |= uint64_t{Bits[0]} << 18;
  return WS_LAUNCH_NUMBER(Number) | Above << WS_LAUNCH_BITS;
}

std::optional<HitMap> warpsan::hitsOf(const WsRecord &Record,
                                      const LaunchInfo &Launch) {
  const std::array<uint32_t, 3> Bits = bitsOf(Launch.Global);
  HitMap Map = emptyHitMap(Launch.Global);
  bool Any = false;
  for (uint32_t Cell = 0; Cell < WS_HIT_CELLS; ++Cell) {
    if (!(Record.Hit[Cell / 32] >> Cell % 32 & 1))
      continue;
    std::array<uint32_t, 3> At = {};
    uint32_t Rest = Cell;
    for (size_t I = 0; I < 3; ++I) {
      At[I] = Rest & ((1U << Bits[I]) - 1);
      Rest >>= Bits[I];
      if (At[I] >= Map.Cells[I])
        return std::nullopt; // no work-item is there
    }
    Map.Hit[(size_t{At[2]} * Map.Cells[1] + At[1]) * Map.Cells[0] + At[0]] =
        true;
    Any = true;
  }
  if (!Any)
    return std::nullopt;
  return Map;
}
