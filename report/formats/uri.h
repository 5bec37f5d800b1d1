//===- report/formats/uri.h - file names as URIs ----------------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_FORMATS_URI_H
#define WARPSAN_REPORT_FORMATS_URI_H

#include <filesystem>
#include <string>

namespace warpsan {

struct FileUri {
  std::string Uri;    ///< of ASCII only
  bool Below = false; ///< it is a file below the directory, and relative to it
};

/// \p Name, which may be any bytes and need not be a file. A relative name is
/// taken from \p Directory if there is such a file, else left as it is.
FileUri uriOf(const std::string &Name, const std::filesystem::path &Directory);

/// "file:///home/me/src/"
std::string uriOfDirectory(const std::filesystem::path &Directory);

} // namespace warpsan

#endif // WARPSAN_REPORT_FORMATS_URI_H
