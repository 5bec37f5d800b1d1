//===- diagnose/finding_id.cpp - names for findings that last -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/finding.h"

#include "text/names.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <vector>

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

/// Where the kind does not say whether it was read or written: `x += 1` does
/// both at one place.
const char *accessOf(FindingKind Kind, const SiteInfo &Info) {
  switch (Kind) {
  case FindingKind::member_overflow:
  case FindingKind::null_pointer:
  case FindingKind::wild_pointer:
  case FindingKind::misaligned:
  case FindingKind::use_after_free:
  case FindingKind::use_after_scope:
    return Info.What == SiteInfo::Access::Write    ? "write"
           : Info.What == SiteInfo::Access::Atomic ? "atomic"
                                                   : "";
  default:
    return "";
  }
}

std::string hexDigits(uint64_t Value) {
  char Text[24];
  std::snprintf(Text, sizeof(Text), "%016llx",
                static_cast<unsigned long long>(Value));
  return Text;
}

std::string withoutSpaces(std::string_view Text) {
  std::string Out;
  std::ranges::copy_if(Text, std::back_inserter(Out), [](char C) {
    return C != ' ' && C != '\t' && C != '\r';
  });
  return Out;
}

void addSite(Hash &H, FindingKind Kind, const std::string &Kernel,
             const SiteInfo &Info, uint32_t Site, uint32_t Test) {
  H.add(nameOf(Kind));
  H.add(Kernel);
  for (const SourcePlace &Place : Info.At) {
    // Directories differ from machine to machine.
    H.add(withoutDirectory(Place.File));
    if (Place.Anchor) {
      H.add(Place.Function);
      H.add(Place.Anchor);
    } else {
      H.add(Place.Line);
      H.add(Place.Column);
    }
  }
  if (Info.At.empty())
    H.add(Site);
  H.add(Test);
  if (const std::string_view Access = accessOf(Kind, Info); !Access.empty())
    H.add(Access);
}

/// \p Frame's function, as it is called in the source.
std::string functionOf(const HostFrame &Frame) {
  return Frame.Python ? Frame.Function : shortName(Frame.Function);
}

/// What of \p Frame does not change when other lines of its file do.
void addCaller(Hash &H, const HostFrame &Frame, uint64_t Anchor) {
  const std::string Function = functionOf(Frame);
  H.add(Function);
  if (!Frame.File.empty()) {
    H.add(withoutDirectory(Frame.File));
    H.add(Anchor ? Anchor : Frame.Line);
    return;
  }
  H.add(withoutDirectory(Frame.Module));
  if (Function.empty())
    H.add(Frame.Offset);
}

/// What tells \p Frame from all others of a build.
void addFrame(Hash &H, const HostFrame &Frame) {
  H.add(functionOf(Frame));
  H.add(withoutDirectory(Frame.File.empty() ? Frame.Module : Frame.File));
  H.add(Frame.File.empty() ? Frame.Offset : Frame.Line);
}

} // namespace

uint64_t warpsan::stableHash(std::string_view Text, uint64_t State) {
  constexpr uint64_t Prime = 0x100000001B3U;
  for (char C : Text)
    State = (State ^ static_cast<unsigned char>(C)) * Prime;
  return State * Prime; // a zero: so that "ab", "c" is not "a", "bc"
}

std::vector<std::string_view> warpsan::splitLines(std::string_view Text) {
  std::vector<std::string_view> Lines;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    Lines.push_back(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

uint64_t warpsan::anchorOf(const std::vector<std::string_view> &Source,
                           const SourcePlace &Place) {
  if (Place.Line == 0 || Place.Line > Source.size())
    return 0;
  const std::string_view Line = Source[Place.Line - 1];
  const std::string Text = withoutSpaces(Line);
  if (Text.empty())
    return 0;
  uint64_t Equal = 0;
  const std::string Start = Place.Function + "(";
  for (size_t Above = Place.Line - 1; Above-- > 0;) {
    const std::string Other = withoutSpaces(Source[Above]);
    Equal += Other == Text;
    if (!Place.Function.empty() && Other.find(Start) != Other.npos)
      break;
  }
  Hash H;
  H.add(Text);
  H.add(withoutSpaces(Line.substr(0, Place.Column ? Place.Column - 1 : 0))
            .size());
  H.add(Equal);
  return std::max<uint64_t>(H.value(), 1);
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
  return hexDigits(H.value());
}

std::string warpsan::findingId(FindingKind Kind, const std::string &Kernel,
                               const SiteInfo &Info, uint32_t Site,
                               uint32_t Test) {
  Hash H;
  addSite(H, Kind, Kernel, Info, Site, Test);
  return "ws-" + hexDigits(H.value());
}

void warpsan::identifyCall(Finding &F, const HostFrame &Caller,
                           uint64_t Anchor) {
  Hash H;
  H.add(nameOf(F.Kind));
  H.add(F.Call);
  addCaller(H, Caller, Anchor);
  F.Id = "ws-" + hexDigits(H.value());
  for (const HostFrame &Frame : F.Launch.Launched)
    addFrame(H, Frame);
  H.add(F.Kernel);
  H.add(static_cast<uint64_t>(F.Root.What));
  H.add(F.Root.Arg);
  H.add(F.Root.Name);
  if (F.Commands) {
    H.add(F.Commands->Earlier.Call);
    H.add(F.Commands->Earlier.Kernel);
    for (const HostFrame &Frame : F.Commands->Enqueued)
      addFrame(H, Frame);
  }
  F.Fingerprint = hexDigits(H.value());
}
