//===- layer/api/order/call_accesses.cpp - what a transfer accesses -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/order/call_accesses.h"

#include <string>

using namespace warpsan;

void warpsan::addRead(PendingCommand &To, cl_mem Buffer, cl_bool, size_t Offset,
                      size_t Size) {
  To.addBuffer(Buffer, Offset, Size, /*Writes=*/false);
}

void warpsan::addWrite(PendingCommand &To, cl_mem Buffer, cl_bool,
                       size_t Offset, size_t Size) {
  To.addBuffer(Buffer, Offset, Size, /*Writes=*/true);
}

void warpsan::addReadRect(PendingCommand &To, cl_mem Buffer, cl_bool,
                          const size_t *Origin, const size_t *,
                          const size_t *Region, size_t Row, size_t Slice) {
  To.addRows(Buffer, Origin, Region, Row, Slice, /*Writes=*/false);
}

void warpsan::addWriteRect(PendingCommand &To, cl_mem Buffer, cl_bool,
                           const size_t *Origin, const size_t *,
                           const size_t *Region, size_t Row, size_t Slice) {
  To.addRows(Buffer, Origin, Region, Row, Slice, /*Writes=*/true);
}

void warpsan::addCopy(PendingCommand &To, cl_mem From, cl_mem Into,
                      size_t FromOffset, size_t IntoOffset, size_t Size) {
  To.addBuffer(From, FromOffset, Size, /*Writes=*/false);
  To.addBuffer(Into, IntoOffset, Size, /*Writes=*/true);
}

void warpsan::addCopyRect(PendingCommand &To, cl_mem From, cl_mem Into,
                          const size_t *FromOrigin, const size_t *IntoOrigin,
                          const size_t *Region, size_t FromRow,
                          size_t FromSlice, size_t IntoRow, size_t IntoSlice) {
  To.addRows(From, FromOrigin, Region, FromRow, FromSlice, /*Writes=*/false);
  To.addRows(Into, IntoOrigin, Region, IntoRow, IntoSlice, /*Writes=*/true);
}

/// Calls \p Add with the pattern that \p Size bytes at \p Pattern make of every
/// 128 bytes: equal bytes have equal ones, whatever their sizes. Its sizes are
/// powers of two up to 128, and it begins at a multiple of its size.
template <typename F>
static void withPattern(const void *Pattern, size_t Size, const F &Add) {
  constexpr size_t MaxPattern = 128;
  if (!Pattern || !Size || MaxPattern % Size)
    return;
  noteIfPossible([&] {
    const std::string One(static_cast<const char *>(Pattern), Size);
    std::string All;
    while (All.size() < MaxPattern)
      All += One;
    Add(All);
  });
}

void warpsan::addFill(PendingCommand &To, cl_mem Buffer, const void *Pattern,
                      size_t PatternSize, size_t Offset, size_t Size) {
  withPattern(Pattern, PatternSize, [&](const std::string &All) {
    To.addBuffer(Buffer, Offset, Size, /*Writes=*/true, &All);
  });
}

static constexpr cl_map_flags ForReading = CL_MAP_READ;
static constexpr cl_map_flags ForWriting =
    CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

void warpsan::addMap(PendingCommand &To, cl_mem Buffer, cl_bool,
                     cl_map_flags Flags, size_t Offset, size_t Size) {
  To.addBuffer(Buffer, Offset, Size, /*Writes=*/false);
  To.setMapping(Flags & ForWriting, Flags & (ForReading | CL_MAP_WRITE));
}

void warpsan::addUnmap(PendingCommand &To, cl_mem Buffer, void *Mapped) {
  To.setUnmapping(Buffer, Mapped);
}

void warpsan::addSvmCopy(PendingCommand &To, cl_bool, void *Into,
                         const void *From, size_t Size) {
  To.addSvm(From, Size, /*Writes=*/false);
  To.addSvm(Into, Size, /*Writes=*/true);
}

void warpsan::addSvmFill(PendingCommand &To, void *Start, const void *Pattern,
                         size_t PatternSize, size_t Size) {
  withPattern(Pattern, PatternSize, [&](const std::string &All) {
    To.addSvm(Start, Size, /*Writes=*/true, &All);
  });
}

void warpsan::addSvmMap(PendingCommand &To, cl_bool, cl_map_flags Flags,
                        void *Start, size_t Size) {
  if (Flags & (ForReading | CL_MAP_WRITE))
    To.addSvm(Start, Size, /*Writes=*/false);
}
