//===- layer/api/extensions.h - wrappers of extension functions -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_EXTENSIONS_H
#define WARPSAN_LAYER_API_EXTENSIONS_H

#include "layer/objects/extension_functions.h"
#include "layer/objects/kernel_args.h"

namespace warpsan {

/// Remembers a pointer argument if the driver took it; returns \p Error.
cl_int noteArgPointer(cl_int Error, cl_kernel Handle, cl_uint Index,
                      KernelArg::Source From, const void *Pointer);

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

#endif // WARPSAN_LAYER_API_EXTENSIONS_H
