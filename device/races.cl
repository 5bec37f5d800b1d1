//===- device/races.cl - accesses are judged, on the device
//-----------------===//
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
typedef volatile __global WsU64 *GlobalWord;
WsU32 OVERLOADABLE __spirv_AtomicCompareExchange(Word, int Scope, int Equal,
                                                 int Unequal, WsU32 Value,
                                                 WsU32 Comparator);
WsU32 OVERLOADABLE __spirv_AtomicLoad(Word, int Scope, int Semantics);
WsU64 OVERLOADABLE __spirv_AtomicCompareExchange(GlobalWord, int Scope,
                                                 int Equal, int Unequal,
                                                 WsU64 Value, WsU64 Comparator);
enum { Device = 1, Workgroup = 2, Relaxed = 0 };

/// How many bits the numbers of \p Items work-items have.
WsU32 warpsan_item_bits(WsU32 Items) {
  WsU32 Bits = 0;
  while (Bits < 31 && (WsU32)1 << Bits < Items)
    ++Bits;
  return Bits;
}

static WsRaceAccess accessOf(WsU32 Launch, WsU32 Item, WsU32 ItemBits,
                             WsU32 Epoch, WsU32 Does, WsU32 Site) {
  const WsRaceAccess Result = {Launch,   Item,
                               ItemBits, Epoch,
                               Does & 3, Does >> WS_RACE_DOES_GROUPS_SHIFT & 3,
                               Site,     (Does & WS_RACE_DOES_CONSTANT) != 0};
  return Result;
}

/// Clears the shadow of \p Granules, with its sites: by a whole work-group.
void warpsan_clear_shadow(Word Shadow, WsU64 Granules, WsU32 Item,
                          WsU32 Items) {
  for (WsU64 I = Item; I < WS_RACE_LOCAL_WORDS(Granules); I += Items)
    Shadow[I] = 0;
}

/// An access by \p Item in \p Epoch to \p Count of \p Granules, from \p First
/// on. \p Does: WS_RACE_DOES_... Returns 0, or if it races WS_RACE_FOUND with
/// what is known of the other access.
WsU64 warpsan_watch(Word Shadow, WsU64 Granules, WsU64 First, WsU64 Count,
                    WsU32 Does, WsU32 Item, WsU32 ItemBits, WsU32 Epoch,
                    WsU32 Site) {
  // Accesses elsewhere are reported as such.
  if (First >= Granules || Count > Granules - First ||
      Epoch >= WS_RACE_LOCAL_EPOCHS(ItemBits))
    return 0;
  const WsRaceAccess Next = accessOf(0, Item, ItemBits, Epoch, Does, Site);
  volatile __local ushort *Sites =
      (volatile __local ushort *)(Shadow + Granules);
  WsU64 Found = 0;
  for (WsU64 I = First; I < First + Count; ++I) {
    for (;;) {
      const WsU32 Old = __spirv_AtomicLoad(&Shadow[I], Workgroup, Relaxed);
      const WsU32 Other = Sites[I];
      WsU32 Races;
      const WsU32 New = wsRaceLocalStep(Old, Next, Other, &Races);
      if (New == Old)
        break;
      if (__spirv_AtomicCompareExchange(&Shadow[I], Workgroup, Relaxed, Relaxed,
                                        New, Old) != Old)
        continue;
      // In the loop, which ends one round later: work-items that run in
      // lockstep read it in their next try.
      if (wsRaceLocalOwner(New, ItemBits) == Item &&
          !wsRaceKeepsSite(New, Next.InGroup))
        Sites[I] = (ushort)Site;
      if (Races && !Found)
        Found = wsRaceLocalFound(Old, Next, Other);
    }
  }
  return Found;
}

/// Stores \p New in place of \p Old; 0: another work-item was faster.
static int replace(GlobalWord At, WsU64 Old, WsU64 New, int IsAtomic) {
  if (IsAtomic)
    return __spirv_AtomicCompareExchange(At, Device, Relaxed, Relaxed, New,
                                         Old) == Old;
  *At = New;
  return 0;
}

/// An access by \p Item in \p Epoch to \p Count granules of global memory, from
/// that of word \p First on. Returns as warpsan_watch().
static inline __attribute__((always_inline)) WsU64 watchGlobal(
    GlobalWord Shadow, WsU64 Launch, WsU64 First, WsU64 Count, WsU32 Does,
    WsU32 Item, WsU32 ItemBits, WsU32 Epoch, WsU32 Site, int IsAtomic) {
  const WsU64 Words = Launch >> WS_RACE_LAUNCH_BITS;
  if (First >= Words || Count > Words - First || Epoch >> WS_RACE_EPOCH_BITS)
    return 0;
  const WsRaceAccess Next =
      accessOf((WsU32)Launch & ((1u << WS_RACE_LAUNCH_BITS) - 1), Item,
               ItemBits, Epoch, Does, Site);
  // Without atomics, words that others store meanwhile are lost: a race may be
  // missed. The second round finds those of work-items in lockstep.
  const int Rounds = 2;
  WsU64 Found = 0;
  for (WsU64 I = First; I < First + Count; ++I)
    for (int Round = 0; IsAtomic || Round < Rounds; ++Round) {
      const WsU64 Old = Shadow[I];
      WsU32 Verdict;
      const WsU64 New = wsRaceStep(Old, Next, &Verdict);
      if (New == Old)
        break;
      const int Replaced = replace(&Shadow[I], Old, New, IsAtomic);
      if (IsAtomic && !Replaced)
        continue;
      if (Verdict != WS_RACE_NONE && !Found)
        Found = wsRaceFound(Old, Next, Verdict);
      if (Replaced)
        break;
    }
  return Found;
}

WsU64 warpsan_watch_global(GlobalWord Shadow, WsU64 Launch, WsU64 First,
                           WsU64 Count, WsU32 Does, WsU32 Item, WsU32 ItemBits,
                           WsU32 Epoch, WsU32 Site) {
  return watchGlobal(Shadow, Launch, First, Count, Does, Item, ItemBits, Epoch,
                     Site, 1);
}

/// For devices without cl_khr_int64_base_atomics.
WsU64 warpsan_watch_global_plain(GlobalWord Shadow, WsU64 Launch, WsU64 First,
                                 WsU64 Count, WsU32 Does, WsU32 Item,
                                 WsU32 ItemBits, WsU32 Epoch, WsU32 Site) {
  return watchGlobal(Shadow, Launch, First, Count, Does, Item, ItemBits, Epoch,
                     Site, 0);
}
