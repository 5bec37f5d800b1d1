//===- layer/api/command_buffer.h - kernels recorded in command buffers ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cl_khr_command_buffer. A recorded kernel is launched each time its buffer is
// enqueued; it is recorded as its twin, with the arguments it has then
// (layer/api/mutable_commands.h: or later).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_COMMAND_BUFFER_H
#define WARPSAN_LAYER_API_COMMAND_BUFFER_H

#include "layer/objects/driver.h"

namespace warpsan::ext {

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(
    cl_uint Count, const cl_command_queue *Queues,
    const cl_command_buffer_properties_khr *Properties, cl_int *Error);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr Handle);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr Handle);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(
    cl_uint Count, cl_command_queue *Queues, cl_command_buffer_khr Handle,
    cl_uint WaitCount, const cl_event *WaitList, cl_event *Event);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_kernel Kernel,
    cl_uint Dimensions, const size_t *Offset, const size_t *Global,
    const size_t *Local, cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandFillBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem Buffer,
    const void *Pattern, size_t PatternSize, size_t Offset, size_t Size,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandCopyBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    size_t FromOffset, size_t ToOffset, size_t Size, cl_uint WaitCount,
    const cl_sync_point_khr *WaitList, cl_sync_point_khr *SyncPoint,
    cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    const size_t *FromOrigin, const size_t *ToOrigin, const size_t *Region,
    size_t FromRow, size_t FromSlice, size_t ToRow, size_t ToSlice,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    size_t FromOffset, const size_t *ToOrigin, const size_t *Region,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    const size_t *FromOrigin, const size_t *Region, size_t ToOffset,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable);
cl_int CL_API_CALL clCommandSVMMemFillKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, void *To, const void *Pattern,
    size_t PatternSize, size_t Size, cl_uint WaitCount,
    const cl_sync_point_khr *WaitList, cl_sync_point_khr *SyncPoint,
    cl_mutable_command_khr *Mutable);
cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(
    cl_command_buffer_khr Handle, cl_bool Automatic, cl_uint Count,
    const cl_command_queue *Queues, cl_uint CommandCount,
    const cl_mutable_command_khr *Commands, cl_mutable_command_khr *NewCommands,
    cl_int *Error);
cl_int CL_API_CALL clUpdateMutableCommandsKHR(
    cl_command_buffer_khr Handle, cl_uint Count,
    const cl_command_buffer_update_type_khr *Types, const void **Configs);

} // namespace warpsan::ext

#endif // WARPSAN_LAYER_API_COMMAND_BUFFER_H
