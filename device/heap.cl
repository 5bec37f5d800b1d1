//===- device/heap.cl - the allocation around an address, on the device ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when warpsan-clc is built, linked into twins that follow pointers
// which they loaded from memory. Valid as C++ too: a unit test runs it.
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

/// The page's word in a table that begins with \p Level1.
static WsU64 pageWord(__global WsU64 *Level1, WsU64 Address) {
  WsU64 Table = *(Words)&Level1[Address >> (WS_LEVEL2_BITS + WS_PAGE_BITS)];
  return Table ? ((Words)Table)[(Address >> WS_PAGE_BITS) &
                                ((1 << WS_LEVEL2_BITS) - 1)]
               : 0;
}

static WsU32 leafEntry(WsU64 Page, WsU64 Address) {
  return ((Leaf)(Page & ~(WsU64)WS_PAGE_KINDS))[(Address >> WS_GRANULE_BITS) &
                                                ((1 << WS_LEAF_BITS) - 1)];
}

/// The address of the object that \p Address is in, dead or alive; 0 if it is
/// in none.
static WsU64 objectAt(__global WsObjects *Objects, WsU64 Address) {
  WsU64 Page = pageWord(Objects->Level1, Address);
  WsU64 Number = 0;
  if ((Page & WS_PAGE_KINDS) == WS_PAGE_BLOCK)
    Number = ((Page & ~(WsU64)WS_PAGE_KINDS) - Objects->All) / sizeof(WsObject);
  else if (Page)
    Number = leafEntry(Page, Address);
  // Not longer than a list can be: the host may be changing it.
  for (int I = 0; Number && I < WS_CROWD; ++I) {
    WsU64 At = Objects->All + Number * sizeof(WsObject);
    volatile __global WsObject *O = (volatile __global WsObject *)At;
    if (Address - O->Start < O->Bytes)
      return At;
    Number = O->Next;
  }
  return 0;
}

/// What an address is confined to in an allocation of \p Size bytes from \p Start
/// on: the object that it is in, or all of it.
static ulong2 heldTo(__global WsHeap *Heap, WsU64 Address, WsU64 Start,
                     WsU64 Size) {
  if (!(Size & WS_MARKED))
    return pair(Start, Size);
  WsU64 At = objectAt((__global WsObjects *)Heap->Objects, Address);
  if (!At)
    return pair(Start, Size & ~WS_MARKED);
  volatile __global WsObject *O = (volatile __global WsObject *)At;
  return pair(O->Start, O->Size);
}

/// Whether an access to [From, From + Bytes) of a buffer is not all in one live
/// object of it. \p Pool: where the buffer's objects are; 0: it has none.
WsU32 warpsan_outside(__global WsHeap *Heap, WsU64 Pool, WsU64 From,
                      WsU64 Bytes) {
  if (!Pool || !Heap || !Bytes)
    return false;
  WsU64 At = objectAt((__global WsObjects *)Heap->Objects, Pool + From);
  if (!At)
    return true;
  volatile __global WsObject *O = (volatile __global WsObject *)At;
  WsU64 Size = O->Size & WS_SIZE_BITS, Inside = Pool + From - O->Start;
  return Inside >= Size || Bytes > Size - Inside;
}

/// Start and size, with rights, of what \p Address is confined to: the object
/// it is in, which WS_MARKED says, or the block that it is in or right
/// behind; zeros if there is none.
ulong2 warpsan_find(__global WsHeap *Heap, WsU64 Address) {
  if (!Heap)
    return pair(Address - WS_FOREIGN_START, WS_FOREIGN_SIZE);
  if (Address >> WS_ADDRESS_BITS)
    return pair(0, 0);
  WsU64 Page = pageWord(Heap->Level1, Address);
  if ((Page & WS_PAGE_KINDS) == WS_PAGE_SLOTS) {
    WsU64 Shift = Page >> WS_SLOT_SHIFT;
    Words Sizes = (Words)(Page & WS_ADDRESS_MASK & ~(WsU64)WS_PAGE_KINDS);
    return heldTo(Heap, Address, Address >> Shift << Shift,
                  Sizes[(Address & ((1 << WS_PAGE_BITS) - 1)) >> Shift]);
  }
  WsU64 Block = Page & ~(WsU64)WS_PAGE_KINDS;
  if ((Page & WS_PAGE_KINDS) == WS_PAGE_LEAF)
    Block = blockOf(Heap, leafEntry(Page, Address));
  if (Block) {
    volatile __global WsBlock *B = (volatile __global WsBlock *)Block;
    return heldTo(Heap, Address, B->Start, B->Size);
  }
  if (Address && Heap->Foreign && isForeign(Heap->Foreign, Address))
    return pair(Address - WS_FOREIGN_START, WS_FOREIGN_SIZE);
  return pair(0, 0);
}
