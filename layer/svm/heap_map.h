//===- layer/svm/heap_map.h - shared virtual memory as twins see it -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's side of abi/heap.h. Twins on devices that take any pointer of the
// host's read these tables where they are; a change is seen by kernels that
// already run.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_HEAP_MAP_H
#define WARPSAN_LAYER_SVM_HEAP_MAP_H

#include "abi/heap.h"

#include <atomic>
#include <cstddef>

namespace warpsan {

/// How much more than its size an allocation must have: the address right
/// behind it may not be the next one's first.
inline constexpr size_t BlockGap = size_t(1) << WS_GRANULE_BITS;

/// Enters an allocation of \p Size bytes, behind which is a BlockGap; \p
/// Rights: WS_NOT_READABLE, ... Null if it cannot be entered: no memory, or not
/// aligned as blocks are.
WsBlock *addBlock(const void *Start, size_t Size, WsU64 Rights);

/// From now on nothing of the block may be touched.
void killBlock(WsBlock *Block);

/// Its addresses belong to nobody.
void removeBlock(WsBlock *Block);

/// Enters \p Bytes from \p Start on, whole pages, as slots of 2^\p Shift bytes
/// each, whose sizes and rights are in \p Sizes, never to be given back. False
/// if there is no memory for that.
bool addSlots(WsU64 Start, size_t Bytes, unsigned Shift, WsU64 *Sizes);
void removeSlots(WsU64 Start, size_t Bytes);

/// Changes a word that twins read.
inline void setWord(WsU64 &Word, WsU64 Value) {
  std::atomic_ref(Word).store(Value, std::memory_order_release);
}

/// The word of the page that \p Address is in, of a table that begins with \p
/// Level1; null if there is no memory. Not for two threads at once.
WsU64 *pageWordIn(WsU64 *Level1, WsU64 Address);

/// Where leaves come from: chunks, since each is a quarter of a page. Not for
/// two threads at once.
struct LeafStore {
  char *At = nullptr, *End = nullptr;
};
/// A leaf of zeros; null if there is no memory.
WsU32 *newLeaf(LeafStore &From);

/// Twins are to find objects in \p Objects, from now on and for good. False if
/// there is no memory for that.
bool enterObjects(const WsObjects *Objects);

/// Zeroed memory that is never given back, physical only where it is touched;
/// null if there is none.
void *reserveZeroed(size_t Size);

/// Reads anew what memory the process has, if that seems to have changed.
void updateForeign();

/// What twins are given; null if there was never a block.
WsHeap *heapForTwins();

/// Bytes of physical memory that the tables may take at most.
size_t heapMapBytes();

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_HEAP_MAP_H
