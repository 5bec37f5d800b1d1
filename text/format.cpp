//===- text/format.cpp - numbers and names as reports write them ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/format.h"

#include <algorithm>
#include <cstdio>

namespace warpsan {

std::string number(uint64_t Value) {
  std::string Digits = std::to_string(Value);
  for (size_t At = Digits.size(); At > 3;) {
    At -= 3;
    Digits.insert(At, 1, ',');
  }
  return Digits;
}

std::string signedNumber(int64_t Value) {
  auto Bits = static_cast<uint64_t>(Value);
  return Value < 0 ? "-" + number(0 - Bits) : number(Bits);
}

std::string count(uint64_t Value, const char *One, const char *Many) {
  return number(Value) + " " + (Value == 1 ? One : Many);
}

std::string bytes(uint64_t Value) { return count(Value, "byte", "bytes"); }

std::string hex(uint64_t Value) {
  char Text[24];
  std::snprintf(Text, sizeof(Text), "0x%llx",
                static_cast<unsigned long long>(Value));
  return Text;
}

/// U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069: marks, separators
/// and overrides that move what follows on the line.
static bool movesText(unsigned Second, unsigned Third) {
  if (Second == 0x80)
    return Third == 0x8E || Third == 0x8F || (Third >= 0xA8 && Third <= 0xAE);
  return Second == 0x81 && Third >= 0xA6 && Third <= 0xA9;
}

size_t characterLength(std::string_view Text, size_t At) {
  auto Byte = [&](size_t I) {
    return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0U;
  };
  auto Continues = [&](size_t I) { return (Byte(I) & 0xC0) == 0x80; };
  const unsigned First = Byte(At), Second = Byte(At + 1);
  if (First < 0x80)
    return First >= 0x20 && First != 0x7F ? 1 : 0;
  if (!Continues(At + 1))
    return 0;
  if (First >= 0xC2 && First < 0xE0) {
    bool Control = First == 0xC2 && Second < 0xA0; // C1: C2 80 to C2 9F
    bool Moves = First == 0xD8 && Second == 0x9C;  // U+061C, a mark too
    return Control || Moves ? 0 : 2;
  }
  if (!Continues(At + 2))
    return 0;
  if (First >= 0xE0 && First < 0xF0) {
    bool TooLong = First == 0xE0 && Second < 0xA0;
    bool Surrogate = First == 0xED && Second >= 0xA0;
    bool Moves = First == 0xE2 && movesText(Second, Byte(At + 2));
    return TooLong || Surrogate || Moves ? 0 : 3;
  }
  if (First >= 0xF0 && First < 0xF5 && Continues(At + 3)) {
    bool TooLong = First == 0xF0 && Second < 0x90;
    bool TooLarge = First == 0xF4 && Second >= 0x90;
    return TooLong || TooLarge ? 0 : 4;
  }
  return 0;
}

std::string escaped(char Byte) {
  if (Byte == '\n')
    return "\\n";
  if (Byte == '\t')
    return "\\t";
  char Text[8];
  std::snprintf(Text, sizeof(Text), "\\x%02X",
                static_cast<unsigned char>(Byte));
  return Text;
}

std::string printable(std::string_view Text) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    if (size_t Length = characterLength(Text, At)) {
      Out.append(Text.substr(At, Length));
      At += Length;
    } else {
      Out += escaped(Text[At++]);
    }
  }
  return Out;
}

std::string quoted(std::string_view Name) {
  return "'" + printable(Name) + "'";
}

size_t width(std::string_view Text) {
  return static_cast<size_t>(std::count_if(
      Text.begin(), Text.end(), [](char C) { return (C & 0xC0) != 0x80; }));
}

std::string padded(std::string Text, size_t Width) {
  size_t Has = width(Text);
  if (Has < Width)
    Text.append(Width - Has, ' ');
  return Text;
}

static std::string joined(const std::array<uint64_t, 3> &Values,
                          uint32_t Dimensions, const char *Between) {
  std::string Out = number(Values[0]);
  for (uint32_t I = 1; I < std::min<uint32_t>(Dimensions, 3); ++I)
    Out += Between + number(Values[I]);
  return Out;
}

std::string extent(const std::array<uint64_t, 3> &Values, uint32_t Dimensions) {
  return joined(Values, Dimensions, " x ");
}

std::string position(const std::array<uint64_t, 3> &Values,
                     uint32_t Dimensions) {
  std::string Out = joined(Values, Dimensions, ", ");
  return Dimensions > 1 ? "(" + Out + ")" : Out;
}

} // namespace warpsan
