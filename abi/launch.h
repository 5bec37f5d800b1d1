//===- abi/launch.h - what a twin knows of its launch ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by host and device: one hidden argument of 64 bits with the launch's
// number and, above it, how to find a work-item's cell on the map of the
// NDRange (record.h): by how many bits each of its three numbers is shifted to
// the right, and y's then to the left. The host knows that beforehand; to find
// it out in each report doubled rusticl's time to compile.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_LAUNCH_H
#define WARPSAN_ABI_LAUNCH_H

#include "abi/record.h"

/// Of the launch's number: enough for a million launches a second, for 12 days.
#define WS_LAUNCH_BITS 40
#define WS_LAUNCH_NUMBER(Word) ((Word) & (((WsU64)1 << WS_LAUNCH_BITS) - 1))
/// \p Dimension: 0 to 2.
#define WS_LAUNCH_SHIFT(Word, Dimension)                                       \
  ((WsU32)((Word) >> (WS_LAUNCH_BITS + 6 * (Dimension))) & 63)
#define WS_LAUNCH_PLACE_Y(Word) ((WsU32)((Word) >> (WS_LAUNCH_BITS + 18)) & 15)
/// Where there is a z, x and y have three bits each.
#define WS_LAUNCH_PLACE_Z 6

#endif // WARPSAN_ABI_LAUNCH_H
