//===- words/names.h - names of functions as people write them --*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_WORDS_NAMES_H
#define WARPSAN_WORDS_NAMES_H

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

/// "float const*", "int" for "scale(float const*, int)"; empty if it is no
/// demangled function.
std::vector<std::string> parametersOf(const std::string &Demangled);

} // namespace warpsan

#endif // WARPSAN_WORDS_NAMES_H
