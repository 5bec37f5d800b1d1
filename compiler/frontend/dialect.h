//===- compiler/frontend/dialect.h - OpenCL C as the device's own compiler has
// it ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twin must be preprocessed as the driver's compiler preprocesses the
// native program: the same extensions, features and versions.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_DIALECT_H
#define WARPSAN_COMPILER_FRONTEND_DIALECT_H

#include "compiler/frontend/build_options.h"
#include "job/job.h"

#include <string>
#include <vector>

namespace warpsan {

/// Arguments of cc1 that make clang's language the device's.
std::vector<std::string> dialectArguments(const DeviceInfo &Device,
                                          const Dialect &Language);

/// True if clang defines the macro of \p Extension itself, once -cl-ext= names
/// it.
bool isKnownToClang(llvm::StringRef Extension);

/// Stands in front of clang's own opencl-c-base.h (which it includes as
/// \p Inner) and takes back the macros that header defines for every SPIR-V
/// target but this device does not have. Builtins follow: clang declares a
/// function only if its extension's macro is defined where it is used.
std::string baseHeaderFor(const DeviceInfo &Device, const Dialect &Language,
                          llvm::StringRef Inner);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_DIALECT_H
