//===- compiler/mangled_types.h - what a builtin's pointers point to ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_MANGLED_TYPES_H
#define WARPSAN_COMPILER_MANGLED_TYPES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace warpsan {

/// Bytes of the type that the parameter \p Index of the mangled function
/// \p Symbol points to: 16 for the first of "_Z8prefetchPU3AS1KDv4_fm". LLVM's
/// pointers do not say. 0 if it is no pointer to one of OpenCL C's types.
uint64_t pointeeSize(llvm::StringRef Symbol, unsigned Index);

} // namespace warpsan

#endif // WARPSAN_COMPILER_MANGLED_TYPES_H
