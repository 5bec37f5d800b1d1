//===- device/races.cl - accesses to local memory are judged, on the device ==//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when warpsan-clc is built, linked into twins that look for data
// races (compiler/races).
//
//===----------------------------------------------------------------------===//
#include "abi/races.h"

#define OVERLOADABLE __attribute__((overloadable))
typedef volatile __local WsU32 *Word;
WsU32 OVERLOADABLE __spirv_AtomicCompareExchange(Word, int Scope, int Equal,
                                                 int Unequal, WsU32 Value,
                                                 WsU32 Comparator);
WsU32 OVERLOADABLE __spirv_AtomicLoad(Word, int Scope, int Semantics);
enum { Workgroup = 2, Relaxed = 0 };

/// How many bits the numbers of \p Items work-items have.
WsU32 warpsan_item_bits(WsU32 Items) {
  WsU32 Bits = 0;
  while (Bits < 31 && (WsU32)1 << Bits < Items)
    ++Bits;
  return Bits;
}

/// Clears the shadow of \p Granules, with its sites: by a whole work-group.
void warpsan_clear_shadow(Word Shadow, WsU64 Granules, WsU32 Item,
                          WsU32 Items) {
  for (WsU64 I = Item; I < WS_RACE_LOCAL_WORDS(Granules); I += Items)
    Shadow[I] = 0;
}

/// An access by \p Item in \p Epoch to \p Count of \p Granules, from \p First
/// on. Returns 0, or if it races WS_RACE_FOUND with what is known of the other
/// access.
WsU64 warpsan_watch(Word Shadow, WsU64 Granules, WsU64 First, WsU64 Count,
                    WsU32 Does, WsU32 Item, WsU32 ItemBits, WsU32 Epoch,
                    WsU32 Site) {
  // Accesses elsewhere are reported as such.
  if (First >= Granules || Count > Granules - First ||
      Epoch >= WS_RACE_LOCAL_EPOCHS(ItemBits))
    return 0;
  volatile __local ushort *Sites = (volatile __local ushort *)(Shadow + Granules);
  WsU64 Found = 0;
  for (WsU64 I = First; I < First + Count; ++I) {
    for (;;) {
      const WsU32 Old = __spirv_AtomicLoad(&Shadow[I], Workgroup, Relaxed);
      const WsU32 Other = Sites[I];
      WsU32 Races;
      const WsU32 New =
          wsRaceLocalStep(Old, Item, ItemBits, Epoch, Does, &Races);
      if (New == Old)
        break;
      if (__spirv_AtomicCompareExchange(&Shadow[I], Workgroup, Relaxed, Relaxed,
                                        New, Old) != Old)
        continue;
      // In the loop, which ends one round later: work-items that run in lockstep
      // read it in their next try.
      if (wsRaceLocalOwner(New, ItemBits) == Item)
        Sites[I] = (ushort)Site;
      if (Races && !Found) {
        const WsU32 Owner = wsRaceLocalOwner(Old, ItemBits);
        Found = WS_RACE_FOUND | (WsU64)Owner << WS_RACE_SITE_BITS |
                (Owner != Item && wsRaceOwnerDidOneThing(Old)
                     ? Other
                     : WS_RACE_NO_SITE);
      }
    }
  }
  return Found;
}
