//===- layer/api/svm_arm.h - shared virtual memory as
// cl_arm_shared_virtual_memory has it ------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extension's functions do what OpenCL 2.0's do, and their memory is the
// same kind of memory.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_SVM_ARM_H
#define WARPSAN_LAYER_API_SVM_ARM_H

#include "layer/api/intercept.h"

namespace warpsan::ext {

cl_int CL_API_CALL clSetKernelArgSVMPointerARM(cl_kernel Handle, cl_uint Index,
                                               const void *Pointer);
cl_int CL_API_CALL clSetKernelExecInfoARM(cl_kernel Handle,
                                          cl_kernel_exec_info_arm Name,
                                          size_t Size, const void *Value);
void *CL_API_CALL clSVMAllocARM(cl_context Context, cl_svm_mem_flags_arm Flags,
                                size_t Size, cl_uint Alignment);
void CL_API_CALL clSVMFreeARM(cl_context Context, void *Start);
cl_int CL_API_CALL clEnqueueSVMFreeARM(cl_command_queue Queue, cl_uint Count,
                                       void *Pointers[],
                                       SvmFreeCallback FreeFunction,
                                       void *UserData, cl_uint WaitCount,
                                       const cl_event *WaitList,
                                       cl_event *Event);
cl_int CL_API_CALL clEnqueueSVMMemcpyARM(
    cl_command_queue Queue, cl_bool Blocking, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event);
cl_int CL_API_CALL clEnqueueSVMMemFillARM(
    cl_command_queue Queue, void *To, const void *Pattern, size_t PatternSize,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event);
cl_int CL_API_CALL clEnqueueSVMMapARM(cl_command_queue Queue, cl_bool Blocking,
                                      cl_map_flags Flags, void *Start,
                                      size_t Size, cl_uint WaitCount,
                                      const cl_event *WaitList,
                                      cl_event *Event);
cl_int CL_API_CALL clEnqueueSVMUnmapARM(cl_command_queue Queue, void *Start,
                                        cl_uint WaitCount,
                                        const cl_event *WaitList,
                                        cl_event *Event);

} // namespace warpsan::ext

#endif // WARPSAN_LAYER_API_SVM_ARM_H
