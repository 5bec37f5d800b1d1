//===- layer/svm/arg_bounds.h - what an argument lets its kernel touch ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_ARG_BOUNDS_H
#define WARPSAN_LAYER_SVM_ARG_BOUNDS_H

#include "layer/objects/kernel_args.h"
#include "layer/objects/launch_log.h"
#include "layer/twin/manifest.h"

namespace warpsan {

/// The values of an argument's hidden arguments, and what a report says of it.
struct ArgBounds {
  cl_ulong Size = 0;    ///< bytes and rights, as abi/record.h has them; of a
                        ///< sampler as abi/sampler.h has it
  cl_ulong Start = 0;   ///< of the pointer in what it points into, bytes
  cl_ulong SizeNow = 0; ///< address of its size as it is now; 0: it has none
  cl_ulong Objects = 0; ///< address of where its buffer's objects are; 0: none
  ArgMemory Memory;
  void *Pointer =
      nullptr; ///< if it is one: its bounds may change by themselves
  cl_mem Handle = nullptr; ///< if it is a memory object
};

/// WS_NOT_READABLE and WS_NOT_WRITABLE, by the flags of \p M.
cl_ulong rightsOf(const Memory &M);

ArgBounds boundsOf(const KernelArg &Arg, KernelPlan::ArgKind Kind);

/// Of a pointer to shared virtual memory, as it is now.
ArgBounds boundsOfPointer(void *Pointer);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_ARG_BOUNDS_H
