//===- layer/objects/extension_functions.h - the driver's extension functions
// -----------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_EXTENSION_FUNCTIONS_H
#define WARPSAN_LAYER_OBJECTS_EXTENSION_FUNCTIONS_H

#include "layer/objects/driver.h"

namespace warpsan {

/// cl_ext_buffer_device_address: newer than the headers.
using clSetKernelArgDevicePointerEXT_fn = cl_int(CL_API_CALL *)(cl_kernel,
                                                                cl_uint,
                                                                cl_ulong);

/// Program-scope variables by name (SYCL's device_global): in no public header.
using clEnqueueWriteGlobalVariableINTEL_fn = cl_int(CL_API_CALL *)(
    cl_command_queue, cl_program, const char *Name, cl_bool Blocking,
    size_t Size, size_t Offset, const void *From, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event);
using clEnqueueReadGlobalVariableINTEL_fn = cl_int(CL_API_CALL *)(
    cl_command_queue, cl_program, const char *Name, cl_bool Blocking,
    size_t Size, size_t Offset, void *To, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event);
using clGetDeviceGlobalVariablePointerINTEL_fn = cl_int(CL_API_CALL *)(
    cl_device_id, cl_program, const char *Name, size_t *Size, void **Pointer);

/// The functions of one platform's driver that the layer wraps. Null: the
/// driver does not have it.
struct ExtensionFunctions {
#define EXTENSION(name) name##_fn name = nullptr;
#include "layer/objects/extension_functions.def"
#undef EXTENSION
};

/// Queried once for each platform and cached; the reference stays valid.
const ExtensionFunctions &extensionsOf(cl_platform_id Platform);

/// The functions of the platform that the object belongs to.
const ExtensionFunctions &extensionsOf(cl_command_queue Queue);
const ExtensionFunctions &extensionsOf(cl_context Context);
const ExtensionFunctions &extensionsOf(cl_kernel Kernel);

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_EXTENSION_FUNCTIONS_H
