//===- test/layer/device_memory.cpp - a device with memory of its own -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer for below WarpSan's: CL_MEM_USE_HOST_PTR buffers are kept in other
// memory than the host's, as discrete GPUs do. What a kernel writes to one is
// seen by a command that reads it, and not through the host's pointer; and
// kernels take no pointers of the host's.
//
//===----------------------------------------------------------------------===//
#include "test/layer/plain_layer.h"

static const cl_icd_dispatch *Next;
static cl_icd_dispatch Ours;

static cl_mem CL_API_CALL createBuffer(cl_context Context, cl_mem_flags Flags,
                                       size_t Size, void *Host, cl_int *Error) {
  if (Flags & CL_MEM_USE_HOST_PTR)
    Flags ^= CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  return Next->clCreateBuffer(Context, Flags, Size, Host, Error);
}

static cl_int CL_API_CALL deviceInfo(cl_device_id Device, cl_device_info What,
                                     size_t Size, void *Value, size_t *Needed) {
  const cl_int Error = Next->clGetDeviceInfo(Device, What, Size, Value, Needed);
  cl_device_svm_capabilities Has;
  if (Error == CL_SUCCESS && What == CL_DEVICE_SVM_CAPABILITIES && Value) {
    std::memcpy(&Has, Value, sizeof(Has));
    Has &= ~static_cast<cl_device_svm_capabilities>(
        CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    std::memcpy(Value, &Has, sizeof(Has));
  }
  return Error;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
            const cl_icd_dispatch **OurTable) {
  if (Entries < sizeof(cl_icd_dispatch) / sizeof(void *))
    return CL_INVALID_VALUE;
  Next = Target;
  Ours = *Target;
  Ours.clCreateBuffer = createBuffer;
  Ours.clGetDeviceInfo = deviceInfo;
  *OurEntries = sizeof(cl_icd_dispatch) / sizeof(void *);
  *OurTable = &Ours;
  return CL_SUCCESS;
}
