//===- device/report.cl - a failed check, on the device -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when warpsan-clc is built, linked into every twin that checks. It is
// a function of its own, and what a work-item is called is passed in: no driver
// has to inline it, and PoCL, which knows no work-item functions outside of
// kernels, sees none there.
//
//===----------------------------------------------------------------------===//
#include "abi/launch.h"

// SPIR-V's own names: the translator takes them in programs of any language.
#define OVERLOADABLE __attribute__((overloadable))
typedef volatile __global WsU32 *Word;
WsU32 OVERLOADABLE __spirv_AtomicCompareExchange(Word, int Scope, int Equal,
                                                 int Unequal, WsU32 Value,
                                                 WsU32 Comparator);
WsU32 OVERLOADABLE __spirv_AtomicIIncrement(Word, int Scope, int Semantics);
WsU32 OVERLOADABLE __spirv_AtomicExchange(Word, int Scope, int Semantics,
                                          WsU32 Value);
WsU32 OVERLOADABLE __spirv_AtomicOr(Word, int Scope, int Semantics,
                                    WsU32 Value);
enum {
  Device = 1,
  Relaxed = 0,
  ReleaseGlobal = 0x4 | 0x200, ///< Release | CrossWorkgroupMemory
};

static void count(__global WsU32 *Counter) {
  __spirv_AtomicIIncrement(Counter, Device, Relaxed);
}

/// Two members of 32 bits, as they lie in memory.
static WsU64 pair(WsU64 First, WsU64 Second) {
  return (First & 0xFFFFFFFF) | Second << 32;
}

/// One store for all: rusticl puts this function into each place that calls it,
/// makes a loop of each access to memory, and its time to compile grows with
/// the square of that.
typedef ulong16 Details __attribute__((aligned(8)));

/// Called by a work-item that failed check \p Check in \p Launch
/// (abi/launch.h). \p Mask of \p Seen, which is private to the work-item, tells
/// whether it failed it before: a work-item counts once a check, however often
/// its loop fails it.
void warpsan_report(__global WsRecordBuffer *Buffer, WsU64 Launch,
                    __private WsU32 *Seen, WsU32 Mask, WsU32 Check, WsU32 Root,
                    WsU64 Offset, WsU64 Size, WsU64 Bytes, WsU64 Address,
                    WsU64 GlobalX, WsU64 GlobalY, WsU64 GlobalZ, WsU64 GroupX,
                    WsU64 GroupY, WsU64 GroupZ, WsU64 LocalX, WsU64 LocalY,
                    WsU64 LocalZ, WsU64 SizeX, WsU64 SizeY, WsU64 SizeZ,
                    WsU64 StartX, WsU64 StartY, WsU64 StartZ) {
  if (*Seen & Mask)
    return;
  *Seen |= Mask;

  WsU32 Key = ((WsU32)Launch & (WS_TAGS - 1)) << WS_CHECK_BITS | Check;
  WsU32 Place = (Key ^ Key >> 15) * 0x9E3779B1u >> 7, Try = 0, Old;
  __global WsRecord *R;
  do {
    R = &Buffer->Records[(Place + Try) % WS_RECORDS];
    Old = __spirv_AtomicCompareExchange(&R->Key, Device, Relaxed, Relaxed, Key,
                                        0);
  } while (Old != 0 && Old != Key && ++Try < WS_PROBES);
  const bool Lost = Old != 0 && Old != Key;
  count(Lost ? &Buffer->Lost : &R->Items);
  const WsU32 Cell =
      ((WsU32)((GlobalX - StartX) >> WS_LAUNCH_SHIFT(Launch, 0)) |
       (WsU32)((GlobalY - StartY) >> WS_LAUNCH_SHIFT(Launch, 1))
           << WS_LAUNCH_PLACE_Y(Launch) |
       (WsU32)((GlobalZ - StartZ) >> WS_LAUNCH_SHIFT(Launch, 2))
           << WS_LAUNCH_PLACE_Z) %
      WS_HIT_CELLS;
  // Of an entry that is another's, nothing.
  __spirv_AtomicOr(&R->Hit[Cell / 32], Device, Relaxed,
                   Lost ? 0 : 1U << Cell % 32);
  if (Old == Key)
    return;
  if (!Lost) {
    *(__global Details *)&R->Launch =
        (Details)(WS_LAUNCH_NUMBER(Launch), Offset, Size, Bytes, Address,
                  pair(Check, Root), GlobalX, GlobalY, GlobalZ, GroupX, GroupY,
                  GroupZ, pair(LocalX, LocalY), pair(LocalZ, SizeX),
                  pair(SizeY, SizeZ), 0);
    // The host may read while the kernel runs (layer/findings/watcher): where it
    // sees Ready it must see the details. It loads Ready with acquire order.
    __spirv_AtomicExchange(&R->Ready, Device, ReleaseGlobal, 1);
  }
  count(&Buffer->Hits);
}
