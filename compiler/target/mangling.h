//===- compiler/target/mangling.h - the C++ names that builtins have ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_MANGLING_H
#define WARPSAN_COMPILER_TARGET_MANGLING_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpsan {

/// "_Z6vload4mPU3AS1Kf", taken apart.
struct MangledName {
  llvm::StringRef Name;       ///< "vload4"
  llvm::StringRef Parameters; ///< "mPU3AS1Kf"
};

/// None if \p Symbol is not the mangled name of a function in no namespace.
std::optional<MangledName> takeApart(llvm::StringRef Symbol);

/// "_Z6vload4mPU3AS1Kf" for "vload4" and "mPU3AS1Kf".
std::string mangled(llvm::StringRef Name, llvm::StringRef Parameters);

/// Bytes of the type that the parameter \p Index of the mangled function
/// \p Symbol points to: 16 for the first of "_Z8prefetchPU3AS1KDv4_fm". LLVM's
/// pointers do not say. 0 if it is no pointer to one of OpenCL C's types.
uint64_t pointeeSize(llvm::StringRef Symbol, unsigned Index);

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_MANGLING_H
