//===- compiler/frontend/driver_macros.h - what a driver may preprocess
// differently ------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A proof is about the source as it was preprocessed here. If that depends on a
// macro that compilers predefine, the driver's kernel may be another one, and
// only the twin is known to be what was proven.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_DRIVER_MACROS_H
#define WARPSAN_COMPILER_FRONTEND_DRIVER_MACROS_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace warpsan {

/// Appends to \p Found, as long as \p PP preprocesses, each macro that the
/// source uses or asks for, that neither the application nor OpenCL defines and
/// that the driver's compiler may define differently: "__AVX2__ at
/// source.cl:1". Each macro once. Files below \p OwnDirectory are not looked
/// at.
std::unique_ptr<clang::PPCallbacks>
watchDriverMacros(clang::Preprocessor &PP, llvm::StringRef OwnDirectory,
                  std::vector<std::string> &Found);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_DRIVER_MACROS_H
