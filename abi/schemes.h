//===- abi/schemes.h - what host and device share of other schemes --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the schemes that docs/explanation/schemes.md compares: where bits are in a
// tag, and what the tables look like that the layer fills. The arithmetic of
// tags is in schemes/, for the host, and compiler/schemes/, for twins.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_SCHEMES_H
#define WARPSAN_ABI_SCHEMES_H

#include "abi/record.h"

/// The lowest bits of a tag are an address in every scheme.
#define WS_TAG_ADDRESS_BITS 41

// Where variables are placed.
#define WS_PRIVATE_BASE ((WsU64)1 << 38)
#define WS_LOCAL_BASE ((WsU64)2 << 38)
#define WS_PROGRAM_BASE ((WsU64)3 << 38)
#define WS_POOL_BASE ((WsU64)4 << 38) ///< arguments in local memory

// LMI's table of live buffers: an open hash table of their unmodifiable bits.

#define WS_LIVE_BITS 16
#define WS_LIVE_PROBES 64
#define WS_LIVE_GONE ((WsU64)1) ///< was a name; 0: never was one
/// Half a page, as GPUs have them.
#define WS_LIVE_MOST_BYTES ((WsU64)32 << 10)

typedef struct WsLiveTable {
  WsU64 Names[1 << WS_LIVE_BITS];
} WsLiveTable;

/// The extent, and the bits of the address that its pointers cannot change.
static inline WsU64 wsLiveName(WsU64 Tag) {
  const WsU64 Extent = Tag >> 59;
  return (Tag & (((WsU64)1 << 59) - 1)) >> (Extent + 7) << 5 | Extent;
}

static inline WsU32 wsLiveSlot(WsU64 Name, WsU32 Probe) {
  const WsU64 Mixed = Name * 0x9e3779b97f4a7c15UL;
  return ((WsU32)(Mixed >> (64 - WS_LIVE_BITS)) + Probe) &
         ((1U << WS_LIVE_BITS) - 1);
}

// GPUShield's table of regions, which 14 bits index.

#define WS_REGION_VALID ((WsU64)1 << 63)     ///< beside its base
#define WS_REGION_READ_ONLY ((WsU64)1 << 62) ///< likewise
typedef struct WsRegion {
  WsU64 Base;
  WsU64 Size;
} WsRegion;
typedef struct WsRegions {
  WsRegion All[1 << 14];
} WsRegions;
/// All private variables of a work-item are one region of so many bytes.
#define WS_PRIVATE_REGION_BITS 19

// No-FAT's table of bins, the MAST.

typedef struct WsBin {
  WsU64 Size;    ///< bytes of each allocation in it; 0: there are none
  WsU64 Inverse; ///< 2^36 divided by that in units of 8 bytes, rounded up
} WsBin;
typedef struct WsBins {
  WsBin All[64];
} WsBins;

// A trace, for what hardware would see (bench/schemes --hardware).

#define WS_TRACE_MOST ((WsU32)4 << 20) ///< entries
#define WS_TRACE_ITEMS 1024            ///< work-items of each launch

typedef struct WsTraceEntry {
  /// From its lowest bit on: what it is (8 bits), bytes (8), the work-item
  /// (16), the launch (32).
  WsU64 What;
  WsU64 Tag; ///< schemes/trace_host.cpp
} WsTraceEntry;
#define WS_TRACE_MOVE 0 ///< pointer arithmetic
#define WS_TRACE_READ 1
#define WS_TRACE_WRITE 2

typedef struct WsTrace {
  WsU32 Next; ///< how many there would be, if there were room
  WsU32 Unused;
  WsTraceEntry All[WS_TRACE_MOST];
} WsTrace;

#endif // WARPSAN_ABI_SCHEMES_H
