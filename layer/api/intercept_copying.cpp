//===- layer/api/intercept_copying.cpp - copies and fills on the device ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes beyond a buffer's end is to be refused though there is a pad behind
// it (layer/canary/padding.h). Nothing else is of interest here.
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "layer/canary/padding.h"

using namespace warpsan;

static cl_int CL_API_CALL enqueueFillBuffer(cl_command_queue Queue,
                                            cl_mem Buffer, const void *Pattern,
                                            size_t PatternSize, size_t Offset,
                                            size_t Size, cl_uint WaitCount,
                                            const cl_event *WaitList,
                                            cl_event *Event) {
  return Next->clEnqueueFillBuffer(
      Queue, BufferBelow(Buffer, endOf(Offset, Size)), Pattern, PatternSize,
      Offset, Size, WaitCount, WaitList, Event);
}

static cl_int CL_API_CALL enqueueCopyBuffer(cl_command_queue Queue, cl_mem From,
                                            cl_mem To, size_t FromOffset,
                                            size_t ToOffset, size_t Size,
                                            cl_uint WaitCount,
                                            const cl_event *WaitList,
                                            cl_event *Event) {
  const CopyBelow Below(From, FromOffset, To, ToOffset, Size);
  return Next->clEnqueueCopyBuffer(Queue, Below.from(), Below.to(),
                                   Below.fromOffset(), Below.toOffset(), Size,
                                   WaitCount, WaitList, Event);
}

static cl_int CL_API_CALL enqueueCopyBufferRect(
    cl_command_queue Queue, cl_mem From, cl_mem To, const size_t *FromOrigin,
    const size_t *ToOrigin, const size_t *Region, size_t FromRow,
    size_t FromSlice, size_t ToRow, size_t ToSlice, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event) {
  const RowsBelow Below(From, FromOrigin,
                        endOf(FromOrigin, Region, FromRow, FromSlice), To,
                        ToOrigin, endOf(ToOrigin, Region, ToRow, ToSlice));
  return Next->clEnqueueCopyBufferRect(
      Queue, Below.from(), Below.to(), Below.fromOrigin(), Below.toOrigin(),
      Region, FromRow, FromSlice, ToRow, ToSlice, WaitCount, WaitList, Event);
}

static cl_int CL_API_CALL enqueueCopyBufferToImage(
    cl_command_queue Queue, cl_mem From, cl_mem To, size_t FromOffset,
    const size_t *ToOrigin, const size_t *Region, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event) {
  const BufferBelow Below(From, endOfPixels(From, FromOffset, To, Region));
  return Next->clEnqueueCopyBufferToImage(Queue, Below, To, FromOffset,
                                          ToOrigin, Region, WaitCount, WaitList,
                                          Event);
}

static cl_int CL_API_CALL enqueueCopyImageToBuffer(
    cl_command_queue Queue, cl_mem From, cl_mem To, const size_t *FromOrigin,
    const size_t *Region, size_t ToOffset, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event) {
  const BufferBelow Below(To, endOfPixels(To, ToOffset, From, Region));
  return Next->clEnqueueCopyImageToBuffer(Queue, From, Below, FromOrigin,
                                          Region, ToOffset, WaitCount, WaitList,
                                          Event);
}

void warpsan::interceptCopying(cl_icd_dispatch &Table) {
  Table.clEnqueueFillBuffer = enqueueFillBuffer;
  Table.clEnqueueCopyBuffer = enqueueCopyBuffer;
  Table.clEnqueueCopyBufferRect = enqueueCopyBufferRect;
  Table.clEnqueueCopyBufferToImage = enqueueCopyBufferToImage;
  Table.clEnqueueCopyImageToBuffer = enqueueCopyImageToBuffer;
}
