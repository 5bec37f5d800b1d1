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

/// Written out because an id must not change with a library.
class Hash {
public:
  void add(std::string_view Text) { State = stableHash(Text, State); }
  void add(uint64_t Number) { add(std::to_string(Number)); }

  uint64_t value() const { return State; }

private:
  uint64_t State = HashStart;
};

/// Folders differ from machine to machine.
std::string_view withoutFolder(std::string_view Path) {
  return Path.substr(Path.find_last_of("/\\") + 1);
}

/// Where the kind does not say whether it was read or written: `x += 1` does
/// both at one place.
const char *accessOf(FindingKind Kind, const SiteFacts &Facts) {
  switch (Kind) {
  case FindingKind::member_overflow:
  case FindingKind::null_pointer:
  case FindingKind::wild_pointer:
  case FindingKind::misaligned:
  case FindingKind::use_after_free:
  case FindingKind::use_after_scope:
    return Facts.What == SiteFacts::Access::Write    ? "write"
           : Facts.What == SiteFacts::Access::Atomic ? "atomic"
                                                     : "";
  default:
    return "";
  }
}

void addSite(Hash &H, FindingKind Kind, const std::string &Kernel,
             const SiteFacts &Facts, uint32_t Site, uint32_t Test) {
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
  if (const std::string_view Access = accessOf(Kind, Facts); !Access.empty())
    H.add(Access);
}

} // namespace

uint64_t warpsan::stableHash(std::string_view Text, uint64_t State) {
  constexpr uint64_t Prime = 0x100000001B3U;
  for (char C : Text)
    State = (State ^ static_cast<unsigned char>(C)) * Prime;
  return State * Prime; // a zero: so that "ab", "c" is not "a", "bc"
}

std::string warpsan::findingFingerprint(const Finding &F, uint64_t Source,
                                        uint32_t Site, uint32_t Test) {
  Hash H;
  addSite(H, F.Kind, F.Call.empty() ? F.Kernel : F.Call, F.Site, Site, Test);
  H.add(Source);
  H.add(static_cast<uint64_t>(F.Root.What));
  H.add(F.Root.Arg);
  H.add(F.Root.Name);
  if (F.Refuted)
    H.add("refuted");
  char Text[24];
  std::snprintf(Text, sizeof(Text), "%016llx",
                static_cast<unsigned long long>(H.value()));
  return Text;
}

std::string warpsan::findingId(FindingKind Kind, const std::string &Kernel,
                               const SiteFacts &Facts, uint32_t Site,
                               uint32_t Test) {
  Hash H;
  addSite(H, Kind, Kernel, Facts, Site, Test);
  // All 64 bits have a part in the 24 that are kept.
  uint64_t V = H.value();
  V = (V ^ (V >> 24) ^ (V >> 48)) & 0xFFFFFF;
  char Text[16];
  std::snprintf(Text, sizeof(Text), "ws-%06x", static_cast<unsigned>(V));
  return Text;
}
