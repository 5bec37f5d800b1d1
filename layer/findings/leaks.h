//===- layer/findings/leaks.h - memory that outlives its context ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that ends without releasing anything has left it to the system. One
// that releases its context but not the memory in it has forgotten that memory.
// Which is which is known when the process ends: memory may be released after
// its context.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_LEAKS_H
#define WARPSAN_LAYER_FINDINGS_LEAKS_H

#include "layer/objects/driver.h"

namespace warpsan {

/// The driver has handed out \p Context.
void noteContextMade(cl_context Context);

/// The application has released its last reference to \p Context.
void noteContextGone(cl_context Context);

/// To be called at the end of the process: reports what still lives of the
/// contexts that are gone, once for each place that made any.
void reportLeaks();

/// Around a fork, so that the child finds it whole; the child then forgets
/// what its parent did.
void lockLeaks();
void unlockLeaks();
void forgetLeaks();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_LEAKS_H
