//===- text/names.h - names of functions as people write them --*- C++ -* -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEXT_NAMES_H
#define WARPSAN_TEXT_NAMES_H

#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

/// What a C++ compiler made a symbol of; other symbols as they are.
std::string demangled(const std::string &Symbol);

/// "clblast::Tuner<float>" for what a demangler writes of it: without return
/// type and parameters; long template arguments become "...".
std::string shortName(const std::string &Demangled);

/// A kernel, by the name that OpenCL has for it: a function, or with SYCL a
/// type.
std::string kernelName(const std::string &Symbol);

/// "saxpy.cl" for "/home/me/saxpy.cl": what follows the last slash or
/// backslash (SPIR-V may come from Windows). Refers to \p Path.
inline std::string_view withoutDirectory(std::string_view Path) {
  return Path.substr(Path.find_last_of("/\\") + 1);
}

/// The name of a program's source number \p Index of \p Count: the API gives
/// sources none. "source.cl", or "source-2.cl" if there are several.
std::string unnamedSource(size_t Index, size_t Count);

/// True for the names that unnamedSource() gives.
bool isUnnamedSource(std::string_view File);

/// "float const*", "int" for "scale(float const*, int)"; empty if it is no
/// demangled function.
std::vector<std::string> parametersOf(const std::string &Demangled);

} // namespace warpsan

#endif // WARPSAN_TEXT_NAMES_H
