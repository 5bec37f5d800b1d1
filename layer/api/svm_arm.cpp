//===- layer/api/svm_arm.cpp - shared virtual memory as
// cl_arm_shared_virtual_memory has it ------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/svm_arm.h"

#include "layer/api/extensions.h"
#include "layer/api/guard.h"
#include "layer/findings/findings.h"
#include "layer/svm/svm_ranges.h"

using namespace warpsan;

cl_int CL_API_CALL ext::clSetKernelArgSVMPointerARM(cl_kernel Handle,
                                                    cl_uint Index,
                                                    const void *Pointer) {
  return noteArgPointer(
      extensionsOf(Handle).clSetKernelArgSVMPointerARM(Handle, Index, Pointer),
      Handle, Index, KernelArg::Source::SVMPointer, Pointer);
}

cl_int CL_API_CALL ext::clSetKernelExecInfoARM(cl_kernel Handle,
                                               cl_kernel_exec_info_arm Name,
                                               size_t Size, const void *Value) {
  cl_int Error =
      extensionsOf(Handle).clSetKernelExecInfoARM(Handle, Name, Size, Value);
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.setExecInfo(Name, Size, Value);
  return Error;
}

void *CL_API_CALL ext::clSVMAllocARM(cl_context Context,
                                     cl_svm_mem_flags_arm Flags, size_t Size,
                                     cl_uint Alignment) {
  void *Start = extensionsOf(Context).clSVMAllocARM(Context, Flags,
                                                    withGap(Size), Alignment);
  addSvmRange(Context, Start, Size, Memory::Kind::SVM, Flags, "clSVMAllocARM");
  return Start;
}

void CL_API_CALL ext::clSVMFreeARM(cl_context Context, void *Start) {
  freeSvm(Context, Start, "clSVMFreeARM", FreeWhen::Later,
          [=] { extensionsOf(Context).clSVMFreeARM(Context, Start); });
}

/// When the command runs, as the driver would.
static void CL_CALLBACK freeEnqueued(cl_command_queue Queue, cl_uint Count,
                                     void *Pointers[], void *) {
  auto *Context = queryValue<cl_context>(Next->clGetCommandQueueInfo, Queue,
                                         CL_QUEUE_CONTEXT, nullptr);
  auto Free = [Context](void *Start) {
    freeSvm(Context, Start, "clEnqueueSVMFreeARM", FreeWhen::Later,
            [=] { extensionsOf(Context).clSVMFreeARM(Context, Start); });
  };
  for (cl_uint I = 0; I < Count; ++I) // no exception may reach the driver
    guarded<void>(Free, Pointers[I]);
}

cl_int CL_API_CALL ext::clEnqueueSVMFreeARM(cl_command_queue Queue,
                                            cl_uint Count, void *Pointers[],
                                            SvmFreeCallback FreeFunction,
                                            void *UserData, cl_uint WaitCount,
                                            const cl_event *WaitList,
                                            cl_event *Event) {
  return enqueueSvmFree(Queue, Count, Pointers, FreeFunction, freeEnqueued,
                        [&](SvmFreeCallback Free) {
                          return extensionsOf(Queue).clEnqueueSVMFreeARM(
                              Queue, Count, Pointers, Free, UserData, WaitCount,
                              WaitList, Event);
                        });
}

cl_int CL_API_CALL ext::clEnqueueSVMMemcpyARM(
    cl_command_queue Queue, cl_bool Blocking, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error = extensionsOf(Queue).clEnqueueSVMMemcpyARM(
      Queue, Blocking, To, From, Size, WaitCount, WaitList, Event);
  if (Blocking)
    reportRecords();
  return Error;
}

cl_int CL_API_CALL ext::clEnqueueSVMMemFillARM(
    cl_command_queue Queue, void *To, const void *Pattern, size_t PatternSize,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  return extensionsOf(Queue).clEnqueueSVMMemFillARM(
      Queue, To, Pattern, PatternSize, Size, WaitCount, WaitList, Event);
}

cl_int CL_API_CALL ext::clEnqueueSVMMapARM(
    cl_command_queue Queue, cl_bool Blocking, cl_map_flags Flags, void *Start,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error = extensionsOf(Queue).clEnqueueSVMMapARM(
      Queue, Blocking, Flags, Start, Size, WaitCount, WaitList, Event);
  if (Blocking)
    reportRecords();
  return Error;
}

cl_int CL_API_CALL ext::clEnqueueSVMUnmapARM(cl_command_queue Queue,
                                             void *Start, cl_uint WaitCount,
                                             const cl_event *WaitList,
                                             cl_event *Event) {
  return extensionsOf(Queue).clEnqueueSVMUnmapARM(Queue, Start, WaitCount,
                                                  WaitList, Event);
}
