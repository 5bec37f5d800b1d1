//===- diagnose/finding_id.cpp - names for findings that last -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/finding.h"

#include <cstdio>
#include <string_view>

using namespace warpsan;

namespace {

/// FNV-1a, 64 bits. Written out because an id must not change with a library.
class Hash {
public:
  void add(std::string_view Text) {
    for (char C : Text)
      step(static_cast<unsigned char>(C));
    step(0); // so that "ab", "c" is not "a", "bc"
  }
  void add(uint64_t Number) { add(std::to_string(Number)); }

  uint64_t value() const { return State; }

private:
  void step(unsigned char Byte) {
    State ^= Byte;
    State *= 0x100000001B3U;
  }
  uint64_t State = 0xCBF29CE484222325U;
};

/// Folders differ from machine to machine.
std::string_view withoutFolder(std::string_view Path) {
  return Path.substr(Path.find_last_of("/\\") + 1);
}

} // namespace

std::string warpsan::findingId(FindingKind Kind, const std::string &Kernel,
                               const SiteFacts &Facts, uint32_t Site,
                               uint32_t Test) {
  Hash H;
  H.add(nameOf(Kind));
  H.add(Kernel);
  for (const SourcePlace &Place : Facts.At) {
    H.add(withoutFolder(Place.File));
    H.add(Place.Line);
    H.add(Place.Column);
  }
  if (Facts.At.empty())
    H.add(Site);
  H.add(Test);
  // All 64 bits have a part in the 24 that are kept.
  uint64_t V = H.value();
  V = (V ^ (V >> 24) ^ (V >> 48)) & 0xFFFFFF;
  char Text[16];
  std::snprintf(Text, sizeof(Text), "ws-%06x", static_cast<unsigned>(V));
  return Text;
}
