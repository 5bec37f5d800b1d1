//===- text/patterns.h - texts that a person chooses by a pattern ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEXT_PATTERNS_H
#define WARPSAN_TEXT_PATTERNS_H

#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

/// '*' stands for any text, '?' for any one byte, all else for itself. All of
/// \p Text must match. Takes no longer than the product of both lengths.
bool matchesPattern(std::string_view Pattern, std::string_view Text);

/// The patterns of "copy*,scale_?", joined with ','; empty ones are skipped.
std::vector<std::string> patternsIn(std::string_view List);

/// \p Symbol is a kernel's name as the driver knows it; one of C++ is meant by
/// its demangled name too, with its parameters and without.
bool matchesKernel(std::string_view Pattern, const std::string &Symbol);

} // namespace warpsan

#endif // WARPSAN_TEXT_PATTERNS_H
