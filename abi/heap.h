//===- abi/heap.h - where shared virtual memory is, for twins -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by host (C++) and device (OpenCL C, device/heap.cl). A page table that
// leads from an address to the allocation around it. Twins read it, the host
// changes it while they run: every change is one aligned word, and no table is
// ever taken away.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_HEAP_H
#define WARPSAN_ABI_HEAP_H

#include "abi/record.h"

/// One allocation.
typedef struct WsBlock {
  WsU64 Start;
  /// Bytes and rights as abi/record.h has them. No bytes: it was freed.
  WsU64 Size;
} WsBlock;
WS_ASSERT(sizeof(WsBlock) == 16);

#define WS_PAGE_BITS 12    ///< addresses within a page
#define WS_GRANULE_BITS 4  ///< what a leaf tells apart; blocks are so aligned
#define WS_LEVEL2_BITS 18  ///< pages within a level 2 table: 1 GiB
#define WS_ADDRESS_BITS 47 ///< nothing is above
#define WS_LEVEL1_BITS (WS_ADDRESS_BITS - WS_LEVEL2_BITS - WS_PAGE_BITS)
#define WS_LEAF_BITS (WS_PAGE_BITS - WS_GRANULE_BITS)

/// A page's word in level 2 is 0, or one of these and
#define WS_PAGE_BLOCK 1 ///< the address of the block that the page belongs to
#define WS_PAGE_LEAF 2  ///< a leaf's: a block's number or 0 for each granule
#define WS_PAGE_SLOTS 3 ///< that of the size, with rights, of the first slot
#define WS_PAGE_KINDS 3
/// Slots are 2^n bytes, and so aligned; n is in the highest bits of the page's
/// word. Their sizes are one word each, side by side; no bytes: nothing is
/// there.
#define WS_SLOT_SHIFT 56
#define WS_ADDRESS_MASK (((WsU64)1 << WS_ADDRESS_BITS) - 1)
#define WS_BLOCKS ((WsU64)1 << 28)

/// Memory that belongs to the process but is no allocation that we know: legal
/// where a device takes any pointer of the host's. Sorted, [Start, End).
typedef struct WsRange {
  WsU64 Start, End;
} WsRange;
typedef struct WsRanges {
  WsU64 Count;
  WsRange All[1]; ///< Count of them
} WsRanges;

/// A pointer into such memory has this much room on either side.
#define WS_FOREIGN_START ((WsU64)1 << 59)
#define WS_FOREIGN_SIZE ((WsU64)1 << 60)

/// A part of an allocation that the application calls an object. Objects do not
/// overlap; they may begin and end anywhere.
typedef struct WsObject {
  WsU64 Start;
  WsU64 Bytes; ///< also of one that was freed
  WsU64 Size;  ///< WS_MARKED, and as WsBlock::Size
  /// The number of the object that begins in the granule where this one ends;
  /// 0: none does.
  WsU64 Next;
} WsObject;
WS_ASSERT(sizeof(WsObject) == 32);

/// A page table as WsHeap's. A page's word is 0, WS_PAGE_BLOCK and the address
/// of the object that has all of it, or WS_PAGE_LEAF and a leaf's: for each
/// granule the number of the first object with bytes there, or 0. Buffers have
/// addresses here that are not theirs on any device.
typedef struct WsObjects {
  WsU64 All; ///< address of the objects; number 0 is not used
  WsU64 Level1[1 << WS_LEVEL1_BITS];
} WsObjects;
/// So many objects have bytes in one granule, at most.
#define WS_CROWD (1 << WS_GRANULE_BITS)

typedef struct WsHeap {
  WsU64 Foreign; ///< address of a WsRanges; 0: no such memory is legal
  WsU64 Blocks;  ///< address of the blocks; number 0 is not used
  WsU64 Objects; ///< address of a WsObjects; 0: no object was ever marked
  WsU64 Level1[1 << WS_LEVEL1_BITS]; ///< addresses of level 2 tables, or 0
} WsHeap;

#endif // WARPSAN_ABI_HEAP_H
