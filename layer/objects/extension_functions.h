//===- layer/extensions.h - extension functions: the driver's, and ours in their
// place ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_EXTENSIONS_H
#define WARPSAN_LAYER_EXTENSIONS_H

#include "layer/driver.h"
#include "layer/kernel_args.h"

namespace warpsan {

/// cl_ext_buffer_device_address: newer than the headers.
using clSetKernelArgDevicePointerEXT_fn = cl_int(CL_API_CALL *)(cl_kernel,
                                                                cl_uint,
                                                                cl_ulong);

/// Program-scope variables by name (SYCL's device_global): in no header.
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

/// The driver's functions that we put ours in front of, for one platform.
/// Null: the driver does not have it.
struct ExtensionFunctions {
#define EXTENSION(name) name##_fn name = nullptr;
#include "layer/extensions.def"
#undef EXTENSION
};

/// Asked for once a platform and kept.
const ExtensionFunctions &extensionsOf(cl_platform_id Platform);

/// Those of the platform that an object is on.
const ExtensionFunctions &extensionsOf(cl_command_queue Queue);
const ExtensionFunctions &extensionsOf(cl_context Context);
const ExtensionFunctions &extensionsOf(cl_kernel Kernel);

/// Remembers a pointer argument if the driver took it; returns \p Error.
cl_int noteArgPointer(cl_int Error, cl_kernel Handle, cl_uint Index,
                      KernelArg::How How, const void *Pointer);

/// The wrapper of the extension function \p Name; null if there is none.
void *replacementFor(const char *Name);

/// The layer's entry for the function \p Name of the dispatch table; null if it
/// is none, or the layer does not wrap it.
void *coreWrapper(const char *Name);

/// The wrappers of clGetExtensionFunctionAddress and its younger sister.
void *CL_API_CALL getExtensionAddress(const char *Name);
void *CL_API_CALL getExtensionAddressForPlatform(cl_platform_id Platform,
                                                 const char *Name);

} // namespace warpsan

#endif // WARPSAN_LAYER_EXTENSIONS_H
