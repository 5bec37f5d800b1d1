//===- layer/twin_facts.cpp - what a report needs of a twin ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin_facts.h"

#include "layer/manifest_json.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

using namespace warpsan;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// The manifest, docs/manifest.md
//===----------------------------------------------------------------------===//

/// The place with number \p Index and the calls through which it came into the
/// kernel, innermost first.
static std::vector<SourcePlace> chainAt(const json &Whole, int64_t Index) {
  const json &Locations = Whole.at("locations");
  const json &Files = Whole.at("files");
  std::vector<SourcePlace> Chain;
  // As long as there are locations, in case they form a ring.
  while (Index >= 0 && Chain.size() < Locations.size()) {
    const json &L = Locations.at(static_cast<size_t>(Index));
    SourcePlace Place;
    Place.FileIndex = L.value("file", -1);
    if (Place.FileIndex >= 0)
      Place.File =
          Files.at(static_cast<size_t>(Place.FileIndex)).value("path", "");
    Place.Line = L.value("line", 0U);
    Place.Column = L.value("column", 0U);
    Place.Function = L.value("function", "");
    Chain.push_back(std::move(Place));
    Index = L.value("inlined_at", int64_t(-1));
  }
  return Chain;
}

static RootFacts::Kind rootKind(const std::string &Name) {
  using Kind = RootFacts::Kind;
  return Name == "argument"   ? Kind::Argument
         : Name == "local"    ? Kind::Local
         : Name == "private"  ? Kind::Private
         : Name == "constant" ? Kind::Constant
         : Name == "program"  ? Kind::Program
         : Name == "heap"     ? Kind::Heap
         : Name == "null"     ? Kind::Null
                              : Kind::Unknown;
}

static RootFacts readRoot(const json &Whole, const json &Root) {
  RootFacts Facts;
  Facts.What = rootKind(Root.value("kind", ""));
  Facts.Arg = Root.value("arg", 0U);
  Facts.ByValue =
      Facts.What == RootFacts::Kind::Private && Root.contains("arg");
  Facts.Name = Root.value("name", "");
  Facts.Type = Root.value("type", "");
  Facts.Size = Root.value("size", uint64_t(0));
  Facts.Element = Root.value("element", uint64_t(0));
  if (Root.contains("fields"))
    for (const json &Field : Root.at("fields"))
      Facts.Fields.push_back(
          {Field.at(0), Field.at(1), Field.at(2), Field.at(3)});
  Facts.Declared = chainAt(Whole, Root.value("at", int64_t(-1)));
  Facts.Ended = chainAt(Whole, Root.value("ended", int64_t(-1)));
  return Facts;
}

static SiteFacts readSite(const json &Whole, const json &Site) {
  SiteFacts Facts;
  const std::string Access = Site.value("access", "");
  Facts.What = Access == "write"    ? SiteFacts::Access::Write
               : Access == "atomic" ? SiteFacts::Access::Atomic
                                    : SiteFacts::Access::Read;
  Facts.Space = Site.value("space", "");
  Facts.Builtin = Site.value("builtin", "");
  Facts.Type = Site.value("type", "");
  Facts.Bytes = Site.value("bytes", uint64_t(0));
  Facts.Align = Site.value("align", uint64_t(0));
  Facts.Member = Site.value("member", "");
  Facts.MemberElement = Site.value("member_element", uint64_t(0));
  Facts.InStruct = Site.value("in_struct", false);
  Facts.At = chainAt(Whole, Site.value("at", int64_t(-1)));
  return Facts;
}

static ArgFacts readArg(const json &Arg) {
  ArgFacts Facts;
  Facts.Name = Arg.value("name", "");
  Facts.Type = Arg.value("type", "");
  Facts.Kind = Arg.value("kind", "");
  const json None = json::array();
  const json &Qualifiers =
      Arg.contains("qualifiers") ? Arg.at("qualifiers") : None;
  Facts.Const = std::find(Qualifiers.begin(), Qualifiers.end(), "const") !=
                Qualifiers.end();
  return Facts;
}

/// Of what the application gave; not of the options, with which the same
/// mistake is built many times, and not of files on disk.
static uint64_t sourceHash(const Recipe &How) {
  uint64_t Hash = HashStart;
  for (const Unit &U : How.Units) {
    Hash = stableHash(U.Text, Hash);
    for (const Header &H : U.Headers)
      Hash = stableHash(H.Text, stableHash(H.Name, Hash));
  }
  return Hash;
}

static KernelFacts readKernel(const json &Whole, const json &Kernel) {
  KernelFacts Facts;
  Facts.Name = Kernel.at("name");
  Facts.Cuda = Whole.value("cuda", false);
  for (const json &Arg : Kernel.at("args"))
    Facts.Args.push_back(readArg(Arg));
  if (Kernel.contains("roots"))
    for (const json &Root : Kernel.at("roots"))
      Facts.Roots.push_back(readRoot(Whole, Root));
  for (const json &Site : Kernel.at("sites"))
    Facts.Sites.push_back(readSite(Whole, Site));
  return Facts;
}

void TwinFacts::readAll() {
  if (std::exchange(Read, true))
    return;
  // The layer has read this text before, for the launch; what is wrong in the
  // rest of it costs the facts, not the program.
  try {
    const json Whole = manifestJson(Text);
    for (const json &Each : Whole.at("files"))
      Files.push_back({Each.value("path", ""), Each.value("unit", -1)});
    const uint64_t Source = How ? sourceHash(*How) : 0;
    for (const json &Kernel : Whole.at("kernels")) {
      auto Facts = std::make_shared<KernelFacts>(readKernel(Whole, Kernel));
      Facts->SourceHash = Source;
      Kernels[Facts->Name] = Facts;
    }
  } catch (const std::exception &) {
    Kernels.clear();
  }
}

std::shared_ptr<const KernelFacts> TwinFacts::kernel(const std::string &Name) {
  std::lock_guard Lock(Mutex);
  readAll();
  auto It = Kernels.find(Name);
  return It == Kernels.end() ? nullptr : It->second;
}

//===----------------------------------------------------------------------===//
// The source
//===----------------------------------------------------------------------===//

std::optional<SourceExcerpt> warpsan::linesBefore(const std::string &Source,
                                                  uint32_t Last) {
  constexpr uint32_t Most = 3;
  if (Last == 0)
    return std::nullopt;
  SourceExcerpt Excerpt;
  Excerpt.FirstLine = Last < Most ? 1 : Last - Most + 1;
  size_t At = 0;
  for (uint32_t Line = 1; Line <= Last; ++Line) {
    if (At >= Source.size())
      return std::nullopt;
    size_t End = std::min(Source.find('\n', At), Source.size());
    if (Line >= Excerpt.FirstLine) {
      std::string Text = Source.substr(At, End - At);
      if (!Text.empty() && Text.back() == '\r')
        Text.pop_back();
      Excerpt.Lines.push_back(std::move(Text));
    }
    At = End + 1;
  }
  return Excerpt;
}

std::optional<SourceExcerpt> TwinFacts::excerpt(const SourcePlace &At) {
  File Of;
  {
    std::lock_guard Lock(Mutex);
    readAll();
    if (At.FileIndex < 0 || static_cast<size_t>(At.FileIndex) >= Files.size())
      return std::nullopt;
    Of = Files[static_cast<size_t>(At.FileIndex)];
  }
  if (Of.Unit >= 0) {
    if (static_cast<size_t>(Of.Unit) >= How->Units.size() ||
        How->Units[static_cast<size_t>(Of.Unit)].Lang !=
            Unit::Language::OpenCLC)
      return std::nullopt;
    return linesBefore(How->Units[static_cast<size_t>(Of.Unit)].Text, At.Line);
  }
  // Headers given to clCompileProgram have no unit of their own.
  for (const Unit &U : How->Units)
    for (const Header &H : U.Headers)
      if (H.Name == Of.Path)
        return linesBefore(H.Text, At.Line);
  auto Absolute = [](const std::string &Folder, const std::string &Path) {
    return (std::filesystem::path(Folder) / Path).lexically_normal();
  };
  for (const Unit &U : How->Units)
    for (const Dependency &Each : U.Files)
      if (Each.Found == Dependency::State::Read &&
          Absolute({}, Each.Path) == Absolute(U.Folder, Of.Path))
        return linesBefore(Each.Text, At.Line);
  return std::nullopt;
}
