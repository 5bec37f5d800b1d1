//===- device/heap.cl - the allocation around an address, on the device ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when warpsan-clc is built, linked into twins that follow pointers
// which they found in memory. Valid as C++ too: a unit test runs it.
//
//===----------------------------------------------------------------------===//
#include "abi/heap.h"

typedef volatile __global WsU64 *Words;
typedef volatile __global WsU32 *Leaf;

static WsU64 blockOf(__global WsHeap *Heap, WsU32 Number) {
  return Number ? Heap->Blocks + Number * sizeof(WsBlock) : 0;
}

static ulong2 pair(WsU64 Start, WsU64 Size) {
  ulong2 Both;
  Both.x = Start;
  Both.y = Size;
  return Both;
}

static bool isForeign(WsU64 Ranges, WsU64 Address) {
  __global WsRanges *R = (__global WsRanges *)Ranges;
  WsU64 From = 0, To = R->Count;
  while (From < To) { // the first range that ends beyond the address
    WsU64 Middle = From + (To - From) / 2;
    if (R->All[Middle].End <= Address)
      From = Middle + 1;
    else
      To = Middle;
  }
  return From < R->Count && R->All[From].Start <= Address;
}

/// Start and size, with rights, of the block that \p Address is in or right
/// behind; zeros if there is none.
ulong2 warpsan_find(__global WsHeap *Heap, WsU64 Address) {
  if (!Heap)
    return pair(Address - WS_FOREIGN_START, WS_FOREIGN_SIZE);
  if (Address >> WS_ADDRESS_BITS)
    return pair(0, 0);
  WsU64 Block = 0;
  WsU64 Table =
      *(Words)&Heap->Level1[Address >> (WS_LEVEL2_BITS + WS_PAGE_BITS)];
  if (Table) {
    WsU64 Page =
        ((Words)Table)[(Address >> WS_PAGE_BITS) & ((1 << WS_LEVEL2_BITS) - 1)];
    if ((Page & WS_PAGE_KINDS) == WS_PAGE_SLOTS) {
      WsU64 Shift = Page >> WS_SLOT_SHIFT;
      Words Sizes = (Words)(Page & WS_ADDRESS_MASK & ~(WsU64)WS_PAGE_KINDS);
      return pair(Address >> Shift << Shift,
                  Sizes[(Address & ((1 << WS_PAGE_BITS) - 1)) >> Shift]);
    }
    Block = Page & ~(WsU64)WS_PAGE_KINDS;
    if ((Page & WS_PAGE_KINDS) == WS_PAGE_LEAF)
      Block = blockOf(Heap, ((Leaf)Block)[(Address >> WS_GRANULE_BITS) &
                                          ((1 << WS_LEAF_BITS) - 1)]);
  }
  if (Block) {
    volatile __global WsBlock *B = (volatile __global WsBlock *)Block;
    return pair(B->Start, B->Size);
  }
  if (Address && Heap->Foreign && isForeign(Heap->Foreign, Address))
    return pair(Address - WS_FOREIGN_START, WS_FOREIGN_SIZE);
  return pair(0, 0);
}
