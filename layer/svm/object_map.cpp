//===- layer/svm/object_map.cpp - marked objects as twins see them --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/object_map.h"

#include "layer/process/no_destructor.h"
#include "layer/svm/heap_map.h"

#include <algorithm>
#include <atomic>
#include <deque>

using namespace warpsan;

static constexpr WsU64 PageSize = WsU64(1) << WS_PAGE_BITS;
static constexpr WsU64 LeafEntries = WsU64(1) << WS_LEAF_BITS;
/// As many objects as may be entered at once.
static constexpr WsU64 MaxObjects = WsU64(1) << 28;
/// Twins may still read an object that was removed: it is used again when so
/// many others were removed.
static constexpr size_t LeastRemoved = 4096;

static WsObjects *Table = nullptr;
static WsObject *All = nullptr;
static WsU64 NextNumber = 1;
static auto &Removed = noDestructor<std::deque<WsObject *>>();
static LeafStore Leaves;

template <typename Word> static void set(Word &Where, Word Value) {
  std::atomic_ref<Word>(Where).store(Value, std::memory_order_release);
}

static WsU64 addressOf(const void *Pointer) {
  return reinterpret_cast<WsU64>(Pointer);
}

static WsU64 numberOf(const WsObject *Object) {
  return Object ? static_cast<WsU64>(Object - All) : 0;
}

static WsU64 granuleOf(WsU64 Address) { return Address >> WS_GRANULE_BITS; }
static WsU64 firstGranule(const WsObject &O) { return granuleOf(O.Start); }
static WsU64 lastGranule(const WsObject &O) {
  return granuleOf(O.Start + (O.Bytes - 1));
}

/// What is next to \p Object in its last granule.
static WsU64 nextOf(const WsObject &Object, const WsObject *After) {
  return After && firstGranule(*After) == lastGranule(Object) ? numberOf(After)
                                                              : 0;
}

static bool makeTable() {
  if (Table)
    return true;
  if (!All)
    All = static_cast<WsObject *>(reserveZeroed(MaxObjects * sizeof(WsObject)));
  auto *New = static_cast<WsObjects *>(reserveZeroed(sizeof(WsObjects)));
  if (!All || !New)
    return false;
  New->All = addressOf(All);
  if (!enterObjects(New))
    return false;
  Table = New;
  return true;
}

static WsObject *newObject() {
  if (Removed.size() > LeastRemoved) {
    WsObject *Old = Removed.front();
    Removed.pop_front();
    return Old;
  }
  return NextNumber < MaxObjects ? &All[NextNumber++] : nullptr;
}

static WsU32 *leafOf(WsU64 &Page) {
  if (!Page) {
    WsU32 *New = newLeaf(Leaves);
    if (!New)
      return nullptr;
    set(Page, addressOf(New) | WS_PAGE_LEAF);
  }
  return reinterpret_cast<WsU32 *>(Page & ~WsU64(WS_PAGE_KINDS));
}

/// Lets \p Object's granules from \p First to \p Last say \p Number.
static bool write(const WsObject &Object, WsU64 First, WsU64 Last,
                  WsU64 Number) {
  const WsU64 End = Object.Start + Object.Bytes;
  while (First <= Last) {
    const WsU64 At = First << WS_GRANULE_BITS & ~(PageSize - 1);
    const WsU64 LastHere = std::min(Last, granuleOf(At + PageSize - 1));
    WsU64 *Page = pageWordIn(Table->Level1, At);
    if (!Page)
      return false;
    const bool Whole = At >= Object.Start && At + PageSize <= End;
    if (Whole && (*Page & WS_PAGE_KINDS) != WS_PAGE_LEAF) {
      set(*Page, Number ? addressOf(&All[Number]) | WS_PAGE_BLOCK : 0);
    } else {
      WsU32 *Leaf = leafOf(*Page);
      if (!Leaf)
        return false;
      for (WsU64 G = First; G <= LastHere; ++G)
        set(Leaf[G % LeafEntries], static_cast<WsU32>(Number));
    }
    First = LastHere + 1;
  }
  return true;
}

/// True if \p Before is the first, or one of those, in the granule where \p
/// Object begins.
static bool sharesFirst(const WsObject &Object, const WsObject *Before) {
  return Before && lastGranule(*Before) == firstGranule(Object);
}

/// Takes \p Object's granules away, as far as they are its own.
static void clear(const WsObject &Object, const WsObject *Before,
                  const WsObject *After) {
  const WsU64 First = firstGranule(Object), Last = lastGranule(Object);
  // Who is the first in the last granule without it.
  const WsU64 Heir = nextOf(Object, After);
  const bool Shared = sharesFirst(Object, Before);
  if (First == Last) {
    if (!Shared)
      write(Object, First, First, Heir);
    return;
  }
  write(Object, First + (Shared ? 1 : 0), Last, 0);
  if (Heir)
    write(Object, Last, Last, Heir);
}

WsObject *warpsan::addObject(WsU64 Start, WsU64 Bytes, WsU64 Rights,
                             WsObject *Before, WsObject *After) {
  if (!Bytes || (Start + Bytes) >> WS_ADDRESS_BITS || !makeTable())
    return nullptr;
  WsObject *New = newObject();
  if (!New)
    return nullptr;
  New->Start = Start;
  New->Bytes = Bytes;
  set(New->Size, Bytes | Rights | WS_MARKED);
  set(New->Next, nextOf(*New, After));
  const WsU64 First = firstGranule(*New), Last = lastGranule(*New);
  const bool Shared = sharesFirst(*New, Before);
  if (!write(*New, First + (Shared ? 1 : 0), Last, numberOf(New))) {
    clear(*New, Before, After);
    Removed.push_back(New);
    return nullptr;
  }
  if (Shared)
    set(Before->Next, numberOf(New));
  return New;
}

void warpsan::killObject(WsObject *Object) { set(Object->Size, WS_MARKED); }

void warpsan::removeObject(WsObject *Object, WsObject *Before,
                           WsObject *After) {
  killObject(Object);
  clear(*Object, Before, After);
  if (sharesFirst(*Object, Before))
    set(Before->Next, nextOf(*Before, After));
  Removed.push_back(Object);
}
