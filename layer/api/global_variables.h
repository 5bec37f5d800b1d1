//===- layer/api/global_variables.h - variables that the host writes and
// reads ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions by which SYCL's device_global variables are reached: by name,
// or by address. A program and its twins each have their own copy of a variable
// (layer/launch/setters.h): writes go to all, reads come from the one that
// counts, and once an address is known there is only one that counts.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_GLOBAL_VARIABLES_H
#define WARPSAN_LAYER_API_GLOBAL_VARIABLES_H

#include "layer/objects/driver.h"

namespace warpsan::ext {

cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue Queue, cl_program Program, const char *Name,
    cl_bool Blocking, size_t Size, size_t Offset, const void *From,
    cl_uint WaitCount, const cl_event *WaitList, cl_event *Event);
cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(
    cl_command_queue Queue, cl_program Program, const char *Name,
    cl_bool Blocking, size_t Size, size_t Offset, void *To, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event);
cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id Device,
                                                         cl_program Program,
                                                         const char *Name,
                                                         size_t *Size,
                                                         void **Pointer);

} // namespace warpsan::ext

#endif // WARPSAN_LAYER_API_GLOBAL_VARIABLES_H
