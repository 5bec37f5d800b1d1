//===- compiler/target/clang_headers.h - clang's OpenCL headers, built in -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_CLANG_HEADERS_H
#define WARPSAN_COMPILER_TARGET_CLANG_HEADERS_H

#include "llvm/ADT/StringRef.h"

namespace warpsan {

/// Types and macros; functions come from clang's table of builtins.
llvm::StringRef openclBaseHeader();

/// Declares every builtin; slow to parse (about 200 ms), so it is used only
/// when the table lacks one.
llvm::StringRef openclFullHeader();

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_CLANG_HEADERS_H
