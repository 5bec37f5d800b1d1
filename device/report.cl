//===- device/report.cl - a failed check, on the device -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when warpsan-clc is built, linked into every twin that checks. It is
// a function of its own, and what a work-item is called is passed in: no driver
// is made to inline it, and no driver sees a work-item function outside of a
// kernel.
//
//===----------------------------------------------------------------------===//
#include "abi/record.h"

// SPIR-V's own names: the translator takes them in programs of any language.
#define OVERLOADABLE __attribute__((overloadable))
typedef volatile __global WsU32 *Word;
WsU32 OVERLOADABLE __spirv_AtomicCompareExchange(Word, int Scope, int Equal,
                                                 int Unequal, WsU32 Value,
                                                 WsU32 Comparator);
WsU32 OVERLOADABLE __spirv_AtomicIIncrement(Word, int Scope, int Semantics);
WsU32 OVERLOADABLE __spirv_AtomicExchange(Word, int Scope, int Semantics,
                                          WsU32 Value);
enum { Device = 1, Relaxed = 0 };

static void count(__global WsU32 *Counter) {
  __spirv_AtomicIIncrement(Counter, Device, Relaxed);
}

/// Called by a work-item that failed check \p Check. \p Seen is a set of bits,
/// private to the work-item: which checks it failed before. A work-item counts
/// once a check, however often its loop fails it.
void warpsan_report(__global WsRecordBuffer *Buffer, WsU64 Launch,
                    __private WsU32 *Seen, WsU32 Bit, WsU32 Check, WsU32 Root,
                    WsU64 Offset, WsU64 Size, WsU64 Bytes, WsU64 Address,
                    WsU64 GlobalX, WsU64 GlobalY, WsU64 GlobalZ, WsU64 GroupX,
                    WsU64 GroupY, WsU64 GroupZ, WsU64 LocalX, WsU64 LocalY,
                    WsU64 LocalZ, WsU64 SizeX, WsU64 SizeY, WsU64 SizeZ) {
  WsU32 Word = Bit / 32, Mask = 1u << (Bit % 32);
  if (Seen[Word] & Mask)
    return;
  Seen[Word] |= Mask;

  WsU32 Key = ((WsU32)Launch & (WS_TAGS - 1)) << WS_CHECK_BITS | Check;
  WsU32 Place = (Key ^ Key >> 15) * 0x9E3779B1u >> 7;
  for (WsU32 Try = 0; Try < WS_PROBES; ++Try) {
    __global WsRecord *R = &Buffer->Records[(Place + Try) % WS_RECORDS];
    WsU32 Old = 
        __spirv_AtomicCompareExchange(&R->Key, Device, Relaxed, Relaxed, Key, 0);
    if (Old != 0 && Old != Key)
      continue;
    count(&R->Items);
    if (Old == Key)
      return;
    R->Check = Check;
    R->Launch = Launch;
    R->Offset = Offset;
    R->Size = Size;
    R->Bytes = Bytes;
    R->Address = Address;
    R->Root = Root;
    R->GlobalId[0] = GlobalX;
    R->GlobalId[1] = GlobalY;
    R->GlobalId[2] = GlobalZ;
    R->GroupId[0] = GroupX;
    R->GroupId[1] = GroupY;
    R->GroupId[2] = GroupZ;
    R->LocalId[0] = (WsU32)LocalX;
    R->LocalId[1] = (WsU32)LocalY;
    R->LocalId[2] = (WsU32)LocalZ;
    R->LocalSize[0] = (WsU32)SizeX;
    R->LocalSize[1] = (WsU32)SizeY;
    R->LocalSize[2] = (WsU32)SizeZ;
    __spirv_AtomicExchange(&R->Ready, Device, Relaxed, 1);
    count(&Buffer->Hits);
    return;
  }
  count(&Buffer->Lost);
  count(&Buffer->Hits);
}
