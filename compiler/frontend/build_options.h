//===- compiler/frontend/build_options.h - clBuildProgram's option string -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_BUILD_OPTIONS_H
#define WARPSAN_COMPILER_FRONTEND_BUILD_OPTIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace warpsan {

/// An OpenCL C dialect: what -cl-std= chose.
struct Dialect {
  std::string ClangName = "CL1.2"; ///< as clang's -cl-std= takes it
  /// 100 to 300, as __OPENCL_C_VERSION__. C++ for OpenCL 1.0 and 2021 count as
  /// the OpenCL C version they extend: 200 and 300.
  unsigned Version = 120;
};

/// What an option string asks of the front end.
struct BuildOptions {
  Dialect Language;
  /// Ready for clang's cc1, in the application's order: -D, -U, -I and the
  /// options of the OpenCL specification that change what a program means.
  std::vector<std::string> ClangArguments;
  /// Options that were dropped, each once: vendors' and unknown ones.
  std::vector<std::string> Dropped;
};

/// Splits as drivers do: at blanks, with '...' and "..." kept together and a
/// backslash taking the next quote, blank or backslash as it is.
std::vector<std::string> splitOptions(llvm::StringRef Text);

/// \p DefaultStd, such as "CL1.2", holds if the string has no -cl-std=. Never
/// fails: the driver has already judged the string.
BuildOptions parseBuildOptions(llvm::StringRef Text,
                               llvm::StringRef DefaultStd);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_BUILD_OPTIONS_H
