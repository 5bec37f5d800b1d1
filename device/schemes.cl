//===- device/schemes.cl - what other schemes look up, on the device ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into twins of the schemes that docs/explanation/schemes.md compares.
//
//===----------------------------------------------------------------------===//
#include "abi/schemes.h"

#define OVERLOADABLE __attribute__((overloadable))
WsU32 OVERLOADABLE __spirv_AtomicIIncrement(volatile __global WsU32 *,
                                            int Scope, int Semantics);

/// Whether the buffer that \p Tag points into is alive, as LMI's table has it.
/// Large buffers are not in it.
uint warpsan_is_live(__global const WsLiveTable *Table, WsU64 Tag) {
  const WsU64 Extent = Tag >> 59;
  if ((WsU64)1 << (Extent + 7) > WS_LIVE_MOST_BYTES)
    return 1;
  const WsU64 Name = wsLiveName(Tag);
  for (WsU32 Probe = 0; Probe < WS_LIVE_PROBES; ++Probe) {
    const WsU64 There = Table->Names[wsLiveSlot(Name, Probe)];
    if (There == Name)
      return 1;
    if (There == 0)
      return 0;
  }
  return 0;
}

/// Of the first work-items of a launch, as far as there is room.
void warpsan_trace(__global WsTrace *To, WsU64 Launch, WsU64 Item, WsU64 What,
                   WsU64 Tag) {
  if (Item >= WS_TRACE_ITEMS || To->Next >= WS_TRACE_MOST)
    return;
  const WsU32 At = __spirv_AtomicIIncrement(&To->Next, /*Device*/ 1, 0);
  if (At >= WS_TRACE_MOST)
    return;
  To->All[At].What = What | Item << 16 | Launch << 32;
  To->All[At].Tag = Tag;
}
