//===- text/format.h - numbers and names as people read them --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEXT_FORMAT_H
#define WARPSAN_TEXT_FORMAT_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpsan {

/// 1234567 as "1,234,567".
std::string number(uint64_t Value);
std::string signedNumber(int64_t Value);

/// "1 byte", "12 bytes".
std::string count(uint64_t Value, const char *One, const char *Many);
std::string bytes(uint64_t Value);

/// "0x7f00"; for addresses and offsets in modules.
std::string hex(uint64_t Value);

/// Bytes of the UTF-8 character that starts at \p At, 0 if none does or if it
/// is one that a terminal obeys: control characters, and those that change the
/// direction of the text after them.
size_t characterLength(std::string_view Text, size_t At);

/// One byte that is no printable character: "\x1B", or "\n", "\t".
std::string escaped(char Byte);

/// \p Text with everything that is not a printable character escaped.
std::string printable(std::string_view Text);

/// \p Name, printable, in single quotes.
std::string quoted(std::string_view Name);

/// Characters, not bytes: what a column is measured in.
size_t width(std::string_view Text);

std::string padded(std::string Text, size_t Width);

/// "64 x 16"; the first \p Dimensions (1 to 3) of them.
std::string extent(const std::array<uint64_t, 3> &Values, uint32_t Dimensions);

/// "(0, 15)"; a single number without parentheses.
std::string position(const std::array<uint64_t, 3> &Values,
                     uint32_t Dimensions);

} // namespace warpsan

#endif // WARPSAN_TEXT_FORMAT_H
