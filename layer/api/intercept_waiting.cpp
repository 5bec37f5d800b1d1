//===- layer/api/intercept_waiting.cpp - calls after which a launch has
// ended ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever waits for a launch wants to know then what went wrong in it. Each
// wrapper lets the driver wait and looks for records; if there are none, that
// is one load for each record buffer.
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "layer/canary/padding.h"
#include "layer/findings/findings.h"
#include "layer/launch/running.h"
#include "layer/process/settings.h"

using namespace warpsan;

/// After a command in \p Queue that was waited for if \p Blocking.
static void lookAfter(cl_command_queue Queue, bool Blocking) {
  if (Blocking)
    noteBlockingEnded(Queue);
  if (Blocking || onError() != OnError::Continue)
    reportRecords(Blocking);
}

/// After a call that says that a command has ended if \p Ended. A callback of
/// the driver's may make it: it must not wait.
static void lookAfterQuery(bool Ended) {
  if (Ended || onError() != OnError::Continue)
    reportRecords();
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL finish(cl_command_queue Queue) {
  cl_int Error = Next->clFinish(Queue);
  if (Error == CL_SUCCESS)
    noteAllEnded(Queue);
  reportRecords(/*MayWait=*/true);
  return Error;
}

void warpsan::waitIfSynchronous(cl_command_queue Queue) {
  const auto Q = settings().synchronous ? Queues.find(Queue) : nullptr;
  const auto Ctx = Q ? Contexts.find(Q->Context) : nullptr;
  if (!Ctx || Ctx->HostGates.load())
    return;
  // It may wait for commands of others that nobody has flushed yet.
  std::vector<cl_command_queue> Others;
  if (Ctx->QueuesMade.load() > 1)
    Queues.forEach([&](cl_command_queue Handle, const auto &Each) {
      if (Each->Context == Q->Context &&
          Next->clRetainCommandQueue(Handle) == CL_SUCCESS)
        Others.push_back(Handle);
    });
  // The driver may call back, and that may enqueue: not while queues are held.
  for (cl_command_queue Each : Others) {
    Next->clFlush(Each);
    Next->clReleaseCommandQueue(Each);
  }
  finish(Queue);
}

static cl_int CL_API_CALL flush(cl_command_queue Queue) {
  cl_int Error = Next->clFlush(Queue);
  lookAfter(Queue, false);
  return Error;
}

static cl_int CL_API_CALL waitForEvents(cl_uint Count, const cl_event *Events) {
  cl_int Error = Next->clWaitForEvents(Count, Events);
  for (cl_uint I = 0; Error == CL_SUCCESS && I < Count; ++I)
    noteEnded(Events[I]);
  reportRecords(/*MayWait=*/true);
  return Error;
}

static cl_int CL_API_CALL getEventInfo(cl_event Event, cl_event_info Name,
                                       size_t Size, void *Value,
                                       size_t *SizeReturn) {
  cl_int Error = Next->clGetEventInfo(Event, Name, Size, Value, SizeReturn);
  const bool Ended = Error == CL_SUCCESS &&
                     Name == CL_EVENT_COMMAND_EXECUTION_STATUS && Value &&
                     *static_cast<cl_int *>(Value) <= CL_COMPLETE;
  if (Ended)
    noteEnded(Event);
  lookAfterQuery(Ended);
  return Error;
}

static cl_int CL_API_CALL getEventProfilingInfo(cl_event Event,
                                                cl_profiling_info Name,
                                                size_t Size, void *Value,
                                                size_t *SizeReturn) {
  cl_int Error =
      Next->clGetEventProfilingInfo(Event, Name, Size, Value, SizeReturn);
  lookAfterQuery(Error == CL_SUCCESS);
  return Error;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL enqueueReadBuffer(cl_command_queue Queue,
                                            cl_mem Buffer, cl_bool Blocking,
                                            size_t Offset, size_t Size,
                                            void *To, cl_uint WaitCount,
                                            const cl_event *WaitList,
                                            cl_event *Event) {
  cl_int Error = Next->clEnqueueReadBuffer(
      Queue, BufferBelow(Buffer, endOf(Offset, Size)), Blocking, Offset, Size,
      To, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static cl_int CL_API_CALL enqueueReadBufferRect(
    cl_command_queue Queue, cl_mem Buffer, cl_bool Blocking,
    const size_t *BufferOrigin, const size_t *HostOrigin, const size_t *Region,
    size_t BufferRow, size_t BufferSlice, size_t HostRow, size_t HostSlice,
    void *To, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  const BufferBelow Below(Buffer,
                          endOf(BufferOrigin, Region, BufferRow, BufferSlice));
  cl_int Error = Next->clEnqueueReadBufferRect(
      Queue, Below, Blocking, BufferOrigin, HostOrigin, Region, BufferRow,
      BufferSlice, HostRow, HostSlice, To, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static cl_int CL_API_CALL enqueueWriteBuffer(
    cl_command_queue Queue, cl_mem Buffer, cl_bool Blocking, size_t Offset,
    size_t Size, const void *From, cl_uint WaitCount, const cl_event *WaitList,
    cl_event *Event) {
  cl_int Error = Next->clEnqueueWriteBuffer(
      Queue, BufferBelow(Buffer, endOf(Offset, Size)), Blocking, Offset, Size,
      From, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static cl_int CL_API_CALL enqueueWriteBufferRect(
    cl_command_queue Queue, cl_mem Buffer, cl_bool Blocking,
    const size_t *BufferOrigin, const size_t *HostOrigin, const size_t *Region,
    size_t BufferRow, size_t BufferSlice, size_t HostRow, size_t HostSlice,
    const void *From, cl_uint WaitCount, const cl_event *WaitList,
    cl_event *Event) {
  const BufferBelow Below(Buffer,
                          endOf(BufferOrigin, Region, BufferRow, BufferSlice));
  cl_int Error = Next->clEnqueueWriteBufferRect(
      Queue, Below, Blocking, BufferOrigin, HostOrigin, Region, BufferRow,
      BufferSlice, HostRow, HostSlice, From, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static void *CL_API_CALL enqueueMapBuffer(cl_command_queue Queue, cl_mem Buffer,
                                          cl_bool Blocking, cl_map_flags Flags,
                                          size_t Offset, size_t Size,
                                          cl_uint WaitCount,
                                          const cl_event *WaitList,
                                          cl_event *Event, cl_int *Error) {
  const BufferBelow Below(Buffer, endOf(Offset, Size));
  if (Below.isPart()) {
    void *Tried =
        Next->clEnqueueMapBuffer(Queue, Below, CL_FALSE, Flags, Offset, Size,
                                 WaitCount, WaitList, nullptr, Error);
    if (!Tried)
      return nullptr;
    // The driver does not look. The application will unmap the whole.
    Next->clEnqueueUnmapMemObject(Queue, Below, Tried, 0, nullptr, nullptr);
  }
  void *Mapped =
      Next->clEnqueueMapBuffer(Queue, Buffer, Blocking, Flags, Offset, Size,
                               WaitCount, WaitList, Event, Error);
  if (auto M = Mapped ? Memories.find(Buffer) : nullptr)
    ++M->Contents.Mapped;
  lookAfter(Queue, Blocking && Mapped);
  return Mapped;
}

static cl_int CL_API_CALL enqueueUnmapMemObject(cl_command_queue Queue,
                                                cl_mem Handle, void *Mapped,
                                                cl_uint WaitCount,
                                                const cl_event *WaitList,
                                                cl_event *Event) {
  cl_int Error = Next->clEnqueueUnmapMemObject(Queue, Handle, Mapped, WaitCount,
                                               WaitList, Event);
  if (auto M = Error == CL_SUCCESS ? Memories.find(Handle) : nullptr)
    --M->Contents.Mapped;
  return Error;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL enqueueReadImage(
    cl_command_queue Queue, cl_mem Image, cl_bool Blocking,
    const size_t *Origin, const size_t *Region, size_t Row, size_t Slice,
    void *To, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error =
      Next->clEnqueueReadImage(Queue, Image, Blocking, Origin, Region, Row,
                               Slice, To, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static cl_int CL_API_CALL
enqueueWriteImage(cl_command_queue Queue, cl_mem Image, cl_bool Blocking,
                  const size_t *Origin, const size_t *Region, size_t Row,
                  size_t Slice, const void *From, cl_uint WaitCount,
                  const cl_event *WaitList, cl_event *Event) {
  cl_int Error =
      Next->clEnqueueWriteImage(Queue, Image, Blocking, Origin, Region, Row,
                                Slice, From, WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static void *CL_API_CALL enqueueMapImage(cl_command_queue Queue, cl_mem Image,
                                         cl_bool Blocking, cl_map_flags Flags,
                                         const size_t *Origin,
                                         const size_t *Region, size_t *Row,
                                         size_t *Slice, cl_uint WaitCount,
                                         const cl_event *WaitList,
                                         cl_event *Event, cl_int *Error) {
  void *Mapped =
      Next->clEnqueueMapImage(Queue, Image, Blocking, Flags, Origin, Region,
                              Row, Slice, WaitCount, WaitList, Event, Error);
  lookAfter(Queue, Blocking && Mapped);
  return Mapped;
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL enqueueSVMMap(
    cl_command_queue Queue, cl_bool Blocking, cl_map_flags Flags, void *Start,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error = Next->clEnqueueSVMMap(Queue, Blocking, Flags, Start, Size,
                                       WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

static cl_int CL_API_CALL enqueueSVMMemcpy(
    cl_command_queue Queue, cl_bool Blocking, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error = Next->clEnqueueSVMMemcpy(Queue, Blocking, To, From, Size,
                                          WaitCount, WaitList, Event);
  lookAfter(Queue, Blocking && Error == CL_SUCCESS);
  return Error;
}

void warpsan::interceptWaiting(cl_icd_dispatch &Table) {
  Table.clFinish = finish;
  Table.clFlush = flush;
  Table.clWaitForEvents = waitForEvents;
  Table.clGetEventInfo = getEventInfo;
  Table.clGetEventProfilingInfo = getEventProfilingInfo;
  Table.clEnqueueReadBuffer = enqueueReadBuffer;
  Table.clEnqueueReadBufferRect = enqueueReadBufferRect;
  Table.clEnqueueWriteBuffer = enqueueWriteBuffer;
  Table.clEnqueueWriteBufferRect = enqueueWriteBufferRect;
  Table.clEnqueueMapBuffer = enqueueMapBuffer;
  Table.clEnqueueUnmapMemObject = enqueueUnmapMemObject;
  Table.clEnqueueReadImage = enqueueReadImage;
  Table.clEnqueueWriteImage = enqueueWriteImage;
  Table.clEnqueueMapImage = enqueueMapImage;
  Table.clEnqueueSVMMap = enqueueSVMMap;
  Table.clEnqueueSVMMemcpy = enqueueSVMMemcpy;
}
