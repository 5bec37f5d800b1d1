//===- layer/svm/marked_objects.h - objects that the application has
// marked -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What include/warpsan.h asks for. A pool is memory with objects in it: an
// allocation of shared virtual memory, or a buffer. Objects of a buffer have
// addresses of ours, for the tables that twins read: the buffer's own are not
// known, and not the same on every device.
//
// An object that was freed is known until its memory is marked again, or the
// pool goes.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_MARKED_OBJECTS_H
#define WARPSAN_LAYER_SVM_MARKED_OBJECTS_H

#include "layer/svm/svm_ranges.h"

#include <memory>
#include <vector>

namespace warpsan {

/// As svmPlaceOf(), but of a pointer into an object the place is in that.
SvmPlace objectPlaceOf(const void *Pointer);

/// Place that a heap pointer referred to, from its checked bounds: \p Size
/// bytes from \p Start on. Size 0: freed.
SvmPlace checkedPlaceOf(const void *Start, uint64_t Size);

/// Each object in [Start, Start + Size) that is not freed.
std::vector<std::shared_ptr<const Memory>> objectsIn(const void *Start,
                                                     size_t Size);

/// [Start, Start + Size) was freed by \p Call, or is another allocation's: its
/// objects are gone. Returns those that were not freed before. Cheap if there
/// never was an object.
std::vector<std::shared_ptr<const Memory>>
forgetObjectsIn(const void *Start, size_t Size, const char *Call);

/// What twins are passed for a buffer: the address of a word with the address
/// of its first byte in the tables, or 0. Null: it has no objects.
const WsU64 *objectsOf(const Memory &Of);

/// The application has let go of the buffer. Kernels that are enqueued may
/// still use it.
void noteReleased(const Memory &Of);

/// The object that an access to [Offset, Offset + Bytes) of the buffer was
/// meant for, if that is in none that lives: the freed one that it begins in,
/// or the nearest. Null if there is none, or it is inside of one by now.
std::shared_ptr<const Memory> objectNear(const Memory &Of, uint64_t Offset,
                                         uint64_t Bytes);

/// True once a buffer had objects. Cheap.
bool buffersHaveObjects();
/// Changes when a buffer becomes a pool, or is none any more. Cheap.
uint64_t bufferPoolEpoch();

/// The function of include/warpsan.h that has this name; null if there is none.
void *markingFunction(const char *Name);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_MARKED_OBJECTS_H
