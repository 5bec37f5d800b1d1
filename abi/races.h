//===- abi/races.h - the shadow of memory that data races are found with --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by host (C++) and device (OpenCL C). One word a granule holds what has
// to be known of a launch's earlier accesses to decide whether the next one
// races with any of them, where work-items synchronize by barriers alone.
//
// An access by work-item x to a granule races with an earlier one by y if they
// conflict and are not ordered: x and y are of different work-groups, or of one
// and no barrier that orders the address space was between. Two accesses
// conflict if one of them writes, unless both are atomic.
//
// The word remembers that at two levels: for work-items of the owner's
// work-group since its last such barrier, and for work-groups since the
// launch began. As long as no access has raced, what is remembered is enough to
// decide (test/unit/race_shadow_test.cpp compares it with all pairs of accesses
// of every short history). After a race it begins anew with the later access.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_RACES_H
#define WARPSAN_ABI_RACES_H

#include "abi/record.h"

/// What an access does; at both levels, by the atomic's scope.
#define WS_RACE_READ 0          ///< not atomic
#define WS_RACE_WRITE 1         ///< likewise
#define WS_RACE_ATOMIC_LOAD 2   ///< changes nothing
#define WS_RACE_ATOMIC_UPDATE 3 ///< any other atomic operation

/// The verdict on an access.
#define WS_RACE_NONE 0
#define WS_RACE_IN_GROUP 1 ///< with an access of the same work-group
#define WS_RACE_OF_GROUPS 2

/// A level: who has accessed the granule how. One: the owner, which is a
/// work-item or its work-group. A level with a plain write has no other bit but
/// those of stores of a constant: whatever anybody else does, races.
#define WS_LEVEL_BITS 7
#define WS_LEVEL_WRITTEN 0x01      ///< by one
#define WS_LEVEL_READ 0x02         ///< by one
#define WS_LEVEL_READ_MANY 0x04    ///< by others, too
#define WS_LEVEL_UPDATED 0x08      ///< by one
#define WS_LEVEL_UPDATED_MANY 0x10 ///< by others, too
#define WS_LEVEL_LOADED 0x20       ///< atomically, by one
#define WS_LEVEL_LOADED_MANY 0x40  ///< by others, with one or without
/// With WRITTEN, which distinguishes them from the bits above: every access was
/// a store of a constant at the site that the word has. Such stores do not race
/// with each other.
#define WS_LEVEL_SAME 0x08
#define WS_LEVEL_SAME_MANY 0x10 ///< by others, too

/// The word: from the lowest bits the level of work-items, that of work-groups,
/// then these. The owner is a work-item: its number in its work-group, and
/// above that its work-group's. Numbers that are too large lose their highest
/// bits: then a race may be missed, but none is made up.
#define WS_RACE_OWNER_SHIFT (2 * WS_LEVEL_BITS)
#define WS_RACE_OWNER_BITS 22
#define WS_RACE_EPOCH_SHIFT (WS_RACE_OWNER_SHIFT + WS_RACE_OWNER_BITS)
#define WS_RACE_EPOCH_BITS 10 ///< barriers that the owner has passed
/// The site of the owner's access that changed the rest, but for the level of
/// work-groups, last; all ones: the number is larger.
#define WS_RACE_BY_SHIFT (WS_RACE_EPOCH_SHIFT + WS_RACE_EPOCH_BITS)
#define WS_RACE_BY_BITS 10
#define WS_RACE_LAUNCH_SHIFT (WS_RACE_BY_SHIFT + WS_RACE_BY_BITS)
#define WS_RACE_LAUNCH_BITS 8 ///< 0: no access
WS_ASSERT(WS_RACE_LAUNCH_SHIFT + WS_RACE_LAUNCH_BITS == 64);

#define WS_RACE_FIELD(word, name)                                              \
  ((WsU32)((word) >> WS_RACE_##name##_SHIFT) &                                 \
   (((WsU32)1 << WS_RACE_##name##_BITS) - 1))

/// An access to a granule.
typedef struct WsRaceAccess {
  WsU32 Launch;   ///< 1 to 255; a word of another launch is empty
  WsU32 Item;     ///< as WS_RACE_OWNER
  WsU32 ItemBits; ///< of Item, that count in a work-group
  WsU32 Epoch;    ///< must not exceed its bits
  WsU32 InGroup;  ///< WS_RACE_READ, .. to work-items of its group
  WsU32 OfGroups; ///< to others: an atomic of the scope of a work-group is none
  WsU32 Site;     ///< its number
  /// It stores a compile-time constant, aligned to its size.
  WsU32 IsConstant;
} WsRaceAccess;

/// A level, after an access by its owner. \p IsSame: it stores a constant, and
/// if the level is not empty, at the word's site.
static inline WsU32 wsRaceByOwner(WsU32 Level, WsU32 Does, WsU32 IsSame,
                                  WsU32 *Races) {
  if ((Level & WS_LEVEL_WRITTEN) && !(IsSame && (Level & WS_LEVEL_SAME))) {
    *Races = (Level & WS_LEVEL_SAME_MANY) != 0;
    return WS_LEVEL_WRITTEN;
  }
  switch (Does) {
  case WS_RACE_WRITE:
    if (Level & WS_LEVEL_WRITTEN) {
      *Races = 0;
      return Level;
    }
    *Races = (Level & (WS_LEVEL_READ_MANY | WS_LEVEL_UPDATED_MANY |
                       WS_LEVEL_LOADED_MANY)) != 0;
    return WS_LEVEL_WRITTEN | (!Level && IsSame ? WS_LEVEL_SAME : 0);
  case WS_RACE_READ:
    *Races = (Level & WS_LEVEL_UPDATED_MANY) != 0;
    return Level | WS_LEVEL_READ;
  case WS_RACE_ATOMIC_UPDATE:
    *Races = (Level & WS_LEVEL_READ_MANY) != 0;
    return Level | WS_LEVEL_UPDATED;
  default:
    *Races = 0;
    return Level & WS_LEVEL_LOADED_MANY ? Level : Level | WS_LEVEL_LOADED;
  }
}

/// A level that is not empty, after an access by another. \p Owns: that is the
/// owner now.
static inline WsU32 wsRaceByOther(WsU32 Level, WsU32 Does, WsU32 IsSame,
                                  WsU32 *Races, WsU32 *Owns) {
  /// What the owner has done, if all of it was atomic loads.
  const WsU32 OnlyLoaded =
      (Level & ~(WsU32)(WS_LEVEL_LOADED | WS_LEVEL_LOADED_MANY)) == 0;
  *Owns = 0;
  switch (Does) {
  case WS_RACE_WRITE:
    *Races = !(IsSame && (Level & WS_LEVEL_WRITTEN) && (Level & WS_LEVEL_SAME));
    return Level | WS_LEVEL_SAME_MANY; // as long as it does not race
  case WS_RACE_READ:
    *Races = (Level & (WS_LEVEL_WRITTEN | WS_LEVEL_UPDATED |
                       WS_LEVEL_UPDATED_MANY)) != 0;
    *Owns = OnlyLoaded;
    return OnlyLoaded ? WS_LEVEL_READ | WS_LEVEL_LOADED_MANY
                      : Level | WS_LEVEL_READ_MANY;
  case WS_RACE_ATOMIC_UPDATE:
    *Races =
        (Level & (WS_LEVEL_WRITTEN | WS_LEVEL_READ | WS_LEVEL_READ_MANY)) != 0;
    *Owns = OnlyLoaded;
    return OnlyLoaded ? WS_LEVEL_UPDATED | WS_LEVEL_LOADED_MANY
                      : Level | WS_LEVEL_UPDATED_MANY;
  default:
    *Races = (Level & WS_LEVEL_WRITTEN) != 0;
    return Level | WS_LEVEL_LOADED_MANY;
  }
}

/// True if an access that is no plain write follows one by the same owner,
/// after which the level is \p Level: the write's site stays.
static inline WsU32 wsRaceKeepsSite(WsU32 Level, WsU32 Does) {
  return Does != WS_RACE_WRITE && (Level & WS_LEVEL_WRITTEN) != 0;
}

/// A granule's word after \p Next; \p Verdict becomes WS_RACE_NONE, ..
static inline WsU64 wsRaceStep(WsU64 Word, WsRaceAccess Next, WsU32 *Verdict) {
  const WsU32 Mask = ((WsU32)1 << WS_LEVEL_BITS) - 1;
  const WsU32 Item = Next.Item & (((WsU32)1 << WS_RACE_OWNER_BITS) - 1);
  const WsU32 Owner = WS_RACE_FIELD(Word, OWNER);
  const WsU32 IsSameGroup = Owner >> Next.ItemBits == Item >> Next.ItemBits;
  // The site is that of the owner's last access that changed something between
  // the work-items of its group.
  const WsU64 LastSite = ((WsU64)1 << WS_RACE_BY_BITS) - 1;
  const WsU64 Sites = LastSite << WS_RACE_BY_SHIFT;
  const WsU32 IsConstant = Next.IsConstant && Next.Site < LastSite;
  const WsU32 IsSame = IsConstant && WS_RACE_FIELD(Word, BY) == Next.Site;
  WsU32 Items = (WsU32)Word & Mask;
  WsU32 Groups = (WsU32)(Word >> WS_LEVEL_BITS) & Mask;
  WsU32 Races = 0, Owns = 1;
  WsU64 Result = (WsU64)Next.Launch << WS_RACE_LAUNCH_SHIFT;
  *Verdict = WS_RACE_NONE;
  if (WS_RACE_FIELD(Word, LAUNCH) != Next.Launch)
    Items = Groups = 0;
  if (Groups && !IsSameGroup) {
    Groups = wsRaceByOther(Groups, Next.OfGroups, IsSame, &Races, &Owns);
    if (Races)
      *Verdict = WS_RACE_OF_GROUPS;
    // What work-items of other groups do matters to those of all groups.
    if (Owns)
      Items = 0;
  } else if (Groups) {
    Groups = wsRaceByOwner(Groups, Next.OfGroups, IsSame, &Races);
    if (Races)
      *Verdict = WS_RACE_OF_GROUPS;
    if (WS_RACE_FIELD(Word, EPOCH) != Next.Epoch)
      Items = 0;
    Races = 0;
    if (Items && Owner != Item)
      Items = wsRaceByOther(Items, Next.InGroup, IsSame, &Races, &Owns);
    else if (Items)
      Items = wsRaceByOwner(Items, Next.InGroup, IsSame, &Races);
    if (Races)
      *Verdict = WS_RACE_IN_GROUP;
  }
  if (*Verdict != WS_RACE_NONE) {
    Items = Groups = 0;
    Owns = 1;
  }
  if (!Groups)
    Groups = wsRaceByOwner(0, Next.OfGroups, IsConstant, &Races);
  if (!Items)
    Items = wsRaceByOwner(0, Next.InGroup, IsConstant, &Races);
  if (Owns)
    Result |= (WsU64)Item << WS_RACE_OWNER_SHIFT | (WsU64)Next.Epoch
                                                       << WS_RACE_EPOCH_SHIFT;
  else
    Result |=
        Word & ((((WsU64)1 << (WS_RACE_OWNER_BITS + WS_RACE_EPOCH_BITS)) - 1)
                << WS_RACE_OWNER_SHIFT);
  Result |= (WsU64)Groups << WS_LEVEL_BITS | Items;
  const WsU64 OfGroups = (WsU64)Mask << WS_LEVEL_BITS;
  const WsU32 KeepsSite = wsRaceKeepsSite(Items, Next.InGroup) && Owner == Item;
  const WsU32 IsUnchanged =
      *Verdict == WS_RACE_NONE && ((Result ^ Word) & ~Sites & ~OfGroups) == 0;
  if (!Owns || KeepsSite || IsUnchanged)
    return Result | (Word & Sites);
  return Result | (Next.Site < LastSite ? Next.Site : LastSite)
                      << WS_RACE_BY_SHIFT;
}

/// Local memory has 32 bits a granule, which its work-group clears first: a
/// level, the owner's number in its work-group and, with what bits are left,
/// the epoch.
#define WS_RACE_LOCAL_EPOCHS(item_bits)                                        \
  ((WsU32)1 << (32 - WS_LEVEL_BITS - (item_bits)))

/// Behind the words of all granules are the sites of the accesses by which
/// their owners changed them last, 16 bits each; WS_RACE_NO_SITE: the number is
/// larger.
#define WS_RACE_LOCAL_WORDS(granules) ((granules) + ((granules) + 1) / 2)
#define WS_RACE_NO_SITE 0xFFFFu

/// What a twin learns of the other access of a race: its owner's number, as in
/// the word, above its site. It is the work-item's own number where another
/// one's is not known; then the site is not known either. In global memory also
/// how many bits of the owner's number count in its work-group, and whether the
/// verdict is WS_RACE_OF_GROUPS.
#define WS_RACE_FOUND ((WsU64)1 << 63)
#define WS_RACE_FOUND_OF_GROUPS ((WsU64)1 << 62)
#define WS_RACE_FOUND_ITEM_BITS_SHIFT 56
#define WS_RACE_FOUND_ITEM_BITS_BITS 5
#define WS_RACE_FOUND_OWNER_SHIFT 16
#define WS_RACE_FOUND_OWNER_BITS 32
#define WS_RACE_FOUND_SITE_SHIFT 0
#define WS_RACE_FOUND_SITE_BITS 16
#define WS_RACE_FOUND_FIELD(found, name)                                       \
  ((found) >> WS_RACE_FOUND_##name##_SHIFT &                                   \
   (((WsU64)1 << WS_RACE_FOUND_##name##_BITS) - 1))

/// The index of the word of the first byte of an argument's memory, if that has
/// no shadow. What a twin gets to know of its launch is a word's
/// WS_RACE_LAUNCH, and above that how many words there are.
#define WS_RACE_NO_SHADOW ((WsU64)1 << 62)

/// What a twin says of an access: WsRaceAccess.InGroup, two bits higher
/// OfGroups, and whether IsConstant.
#define WS_RACE_DOES_GROUPS_SHIFT 2
#define WS_RACE_DOES_CONSTANT 0x10

/// A record of a race has the number WS_RACE_SITE(site). Its Offset is that of
/// the access, its Size what the twin has learned.
#define WS_RACE_SITE(site) (WS_MAX_SITES - 1 - (site))

/// If so, the owner's last site is of what an access of another races with.
static inline WsU32 wsRaceOwnerDidOneThing(WsU32 Word) {
  const WsU32 Did = Word & (WS_LEVEL_READ | WS_LEVEL_UPDATED | WS_LEVEL_LOADED);
  return (Word & WS_LEVEL_WRITTEN) || (Did & (Did - 1)) == 0;
}

/// What a twin learns of a race of \p Next in global memory, before which the
/// granule's word was \p Word.
static inline WsU64 wsRaceFound(WsU64 Word, WsRaceAccess Next, WsU32 Verdict) {
  const WsU32 Owner = WS_RACE_FIELD(Word, OWNER);
  const WsU32 Item = Next.Item & (((WsU32)1 << WS_RACE_OWNER_BITS) - 1);
  const WsU32 Site = WS_RACE_FIELD(Word, BY);
  // A level that many changed names its owner alone.
  const WsU32 IsOther =
      Verdict == WS_RACE_OF_GROUPS
          ? Owner >> Next.ItemBits != Item >> Next.ItemBits
          : Owner != Item && wsRaceOwnerDidOneThing((WsU32)Word);
  const WsU32 Known = IsOther && Site != ((WsU32)1 << WS_RACE_BY_BITS) - 1;
  return WS_RACE_FOUND |
         (Verdict == WS_RACE_OF_GROUPS ? WS_RACE_FOUND_OF_GROUPS : 0) |
         (WsU64)Next.ItemBits << WS_RACE_FOUND_ITEM_BITS_SHIFT |
         (WsU64)Owner << WS_RACE_FOUND_OWNER_SHIFT |
         (Known ? Site : WS_RACE_NO_SITE);
}

static inline WsU32 wsRaceLocalOwner(WsU32 Word, WsU32 ItemBits) {
  return Word >> WS_LEVEL_BITS & (((WsU32)1 << ItemBits) - 1);
}

/// As wsRaceStep(). Next.Epoch is below WS_RACE_LOCAL_EPOCHS. \p OwnerSite:
/// the site of the granule.
static inline WsU32 wsRaceLocalStep(WsU32 Word, WsRaceAccess Next,
                                    WsU32 OwnerSite, WsU32 *Verdict) {
  const WsU32 Mask = ((WsU32)1 << WS_LEVEL_BITS) - 1;
  const WsU32 Owner = wsRaceLocalOwner(Word, Next.ItemBits);
  const WsU32 IsConstant = Next.IsConstant && Next.Site < WS_RACE_NO_SITE;
  const WsU32 IsSame = IsConstant && OwnerSite == Next.Site;
  WsU32 Items = Word & Mask, Races = 0, Owns = 1;
  if (Word >> (WS_LEVEL_BITS + Next.ItemBits) != Next.Epoch)
    Items = 0;
  if (Items && Owner != Next.Item)
    Items = wsRaceByOther(Items, Next.InGroup, IsSame, &Races, &Owns);
  else if (Items)
    Items = wsRaceByOwner(Items, Next.InGroup, IsSame, &Races);
  *Verdict = Races ? WS_RACE_IN_GROUP : WS_RACE_NONE;
  if (Races) {
    Items = 0;
    Owns = 1;
  }
  WsU32 Unused;
  if (!Items)
    Items = wsRaceByOwner(0, Next.InGroup, IsConstant, &Unused);
  return (Owns ? Next.Epoch << (WS_LEVEL_BITS + Next.ItemBits) |
                     Next.Item << WS_LEVEL_BITS
               : Word & ~Mask) |
         Items;
}

/// wsRaceFound() in local memory. \p OwnerSite as of wsRaceLocalStep().
static inline WsU64 wsRaceLocalFound(WsU32 Word, WsRaceAccess Next,
                                     WsU32 OwnerSite) {
  const WsU32 Owner = wsRaceLocalOwner(Word, Next.ItemBits);
  const WsU32 Known = Owner != Next.Item && wsRaceOwnerDidOneThing(Word);
  return WS_RACE_FOUND | (WsU64)Owner << WS_RACE_FOUND_OWNER_SHIFT |
         (Known ? OwnerSite : WS_RACE_NO_SITE);
}

#endif // WARPSAN_ABI_RACES_H
