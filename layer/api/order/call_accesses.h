//===- layer/api/order/call_accesses.h - what a transfer accesses -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes what its call is given, after the queue, and adds what the command
// certainly accesses.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_ORDER_CALL_ACCESSES_H
#define WARPSAN_LAYER_API_ORDER_CALL_ACCESSES_H

#include "layer/order/command_order.h"

namespace warpsan {

void addRead(PendingCommand &To, cl_mem Buffer, cl_bool, size_t Offset,
             size_t Size);
void addWrite(PendingCommand &To, cl_mem Buffer, cl_bool, size_t Offset,
              size_t Size);
void addReadRect(PendingCommand &To, cl_mem Buffer, cl_bool,
                 const size_t *Origin, const size_t *, const size_t *Region,
                 size_t Row, size_t Slice);
void addWriteRect(PendingCommand &To, cl_mem Buffer, cl_bool,
                  const size_t *Origin, const size_t *, const size_t *Region,
                  size_t Row, size_t Slice);
void addCopy(PendingCommand &To, cl_mem From, cl_mem Into, size_t FromOffset,
             size_t IntoOffset, size_t Size);
void addCopyRect(PendingCommand &To, cl_mem From, cl_mem Into,
                 const size_t *FromOrigin, const size_t *IntoOrigin,
                 const size_t *Region, size_t FromRow, size_t FromSlice,
                 size_t IntoRow, size_t IntoSlice);
void addFill(PendingCommand &To, cl_mem Buffer, const void *Pattern,
             size_t PatternSize, size_t Offset, size_t Size);
void addMap(PendingCommand &To, cl_mem Buffer, cl_bool, cl_map_flags Flags,
            size_t Offset, size_t Size);
void addUnmap(PendingCommand &To, cl_mem Buffer, void *Mapped);
void addSvmCopy(PendingCommand &To, cl_bool, void *Into, const void *From,
                size_t Size);
void addSvmFill(PendingCommand &To, void *Start, const void *Pattern,
                size_t PatternSize, size_t Size);
void addSvmMap(PendingCommand &To, cl_bool, cl_map_flags Flags, void *Start,
               size_t Size);

} // namespace warpsan

#endif // WARPSAN_LAYER_API_ORDER_CALL_ACCESSES_H
