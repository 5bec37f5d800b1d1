//===- layer/twin/twin_info.cpp - what a report needs of a twin -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/twin_info.h"

#include "layer/twin/manifest_json.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

using namespace warpsan;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// The manifest, docs/reference/formats/manifest.md
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

static RootInfo::Kind rootKind(const std::string &Name) {
  using Kind = RootInfo::Kind;
  return Name == "argument"   ? Kind::Argument
         : Name == "local"    ? Kind::Local
         : Name == "private"  ? Kind::Private
         : Name == "constant" ? Kind::Constant
         : Name == "program"  ? Kind::Program
         : Name == "heap"     ? Kind::Heap
         : Name == "null"     ? Kind::Null
                              : Kind::Unknown;
}

static RootInfo readRoot(const json &Whole, const json &Root) {
  RootInfo Info;
  Info.What = rootKind(Root.value("kind", ""));
  Info.Arg = Root.value("arg", 0U);
  Info.ByValue = Info.What == RootInfo::Kind::Private && Root.contains("arg");
  Info.Name = Root.value("name", "");
  Info.Type = Root.value("type", "");
  Info.Size = Root.value("size", uint64_t(0));
  Info.Element = Root.value("element", uint64_t(0));
  if (Root.contains("fields"))
    for (const json &Field : Root.at("fields"))
      Info.Fields.push_back(
          {Field.at(0), Field.at(1), Field.at(2), Field.at(3)});
  Info.Declared = chainAt(Whole, Root.value("at", int64_t(-1)));
  Info.Ended = chainAt(Whole, Root.value("ended", int64_t(-1)));
  return Info;
}

static SiteInfo readSite(const json &Whole, const json &Site) {
  SiteInfo Info;
  const std::string Access = Site.value("access", "");
  Info.What = Access == "write"    ? SiteInfo::Access::Write
              : Access == "atomic" ? SiteInfo::Access::Atomic
                                   : SiteInfo::Access::Read;
  Info.Space = Site.value("space", "");
  Info.Builtin = Site.value("builtin", "");
  Info.Type = Site.value("type", "");
  Info.Bytes = Site.value("bytes", uint64_t(0));
  Info.Align = Site.value("align", uint64_t(0));
  Info.Member = Site.value("member", "");
  Info.MemberElement = Site.value("member_element", uint64_t(0));
  Info.InStruct = Site.value("in_struct", false);
  if (Site.contains("root"))
    Info.Root = Site.at("root").get<uint32_t>();
  Info.At = chainAt(Whole, Site.value("at", int64_t(-1)));
  if (Site.contains("depends_on"))
    Info.DependsOn = Site.at("depends_on").get<std::vector<uint32_t>>();
  return Info;
}

static ArgInfo readArg(const json &Arg) {
  ArgInfo Info;
  Info.Name = Arg.value("name", "");
  Info.Type = Arg.value("type", "");
  Info.Kind = Arg.value("kind", "");
  const json None = json::array();
  const json &Qualifiers =
      Arg.contains("qualifiers") ? Arg.at("qualifiers") : None;
  Info.Const = std::find(Qualifiers.begin(), Qualifiers.end(), "const") !=
               Qualifiers.end();
  return Info;
}

/// Of what the application gave; not of the options, with which the same
/// mistake is built many times, and not of files on disk.
static uint64_t sourceHash(const BuildRecipe &Recipe) {
  uint64_t Hash = HashStart;
  for (const Unit &U : Recipe.Units) {
    Hash = stableHash(U.Text, Hash);
    for (const Header &H : U.Headers)
      Hash = stableHash(H.Text, stableHash(H.Name, Hash));
  }
  return Hash;
}

static KernelInfo readKernel(const json &Whole, const json &Kernel) {
  KernelInfo Info;
  Info.Name = Kernel.at("name");
  Info.Cuda = Whole.value("cuda", false);
  for (const json &Arg : Kernel.at("args"))
    Info.Args.push_back(readArg(Arg));
  if (Kernel.contains("roots"))
    for (const json &Root : Kernel.at("roots"))
      Info.Roots.push_back(readRoot(Whole, Root));
  for (const json &Site : Kernel.at("sites"))
    Info.Sites.push_back(readSite(Whole, Site));
  for (SiteInfo &Site : Info.Sites)
    std::erase_if(Site.DependsOn,
                  [&Info](uint32_t Read) { return Read >= Info.Sites.size(); });
  auto At = [&](const json &Each) {
    return chainAt(Whole, Each.value("at", int64_t(-1)));
  };
  if (Kernel.contains("collectives"))
    for (const json &Each : Kernel.at("collectives")) {
      CollectiveInfo &Call = Info.Collectives.emplace_back();
      Call.Builtin = Each.value("builtin", "");
      Call.At = At(Each);
      if (Each.contains("arguments"))
        for (const json &Arg : Each.at("arguments"))
          Call.Arguments.push_back(
              {Arg.value("name", ""), Arg.value("pointer", false)});
    }
  if (Kernel.contains("branches"))
    for (const json &Each : Kernel.at("branches"))
      Info.Branches.push_back(At(Each));
  return Info;
}

void TwinInfo::readAll() {
  if (std::exchange(Read, true))
    return;
  // The layer has read this text before, for the launch; what is wrong in the
  // rest of it costs the facts, not the program.
  try {
    const json Whole = manifestJson(Text);
    for (const json &Each : Whole.at("files"))
      Files.push_back({Each.value("path", ""), Each.value("unit", -1)});
    std::vector<std::vector<std::string_view>> Lines; // of each file
    for (const File &Each : Files) {
      const std::string *Text = sourceOf(Each);
      Lines.push_back(splitLines(Text ? *Text : std::string_view()));
    }
    const uint64_t Source = Recipe ? sourceHash(*Recipe) : 0;
    for (const json &Kernel : Whole.at("kernels")) {
      auto Info = std::make_shared<KernelInfo>(readKernel(Whole, Kernel));
      Info->SourceHash = Source;
      orderSites(Info->Sites);
      auto SetAnchors = [&](std::vector<SourcePlace> &At) {
        for (SourcePlace &Place : At)
          if (Place.FileIndex >= 0)
            Place.Anchor =
                anchorOf(Lines.at(static_cast<size_t>(Place.FileIndex)), Place);
      };
      for (SiteInfo &Site : Info->Sites)
        SetAnchors(Site.At);
      for (CollectiveInfo &Each : Info->Collectives)
        SetAnchors(Each.At);
      Kernels[Info->Name] = Info;
    }
  } catch (const std::exception &) {
    Kernels.clear();
  }
}

std::shared_ptr<const KernelInfo> TwinInfo::kernel(const std::string &Name) {
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
  constexpr uint32_t MaxLines = 3;
  const std::vector<std::string_view> Lines = splitLines(Source);
  if (Last == 0 || Last > Lines.size())
    return std::nullopt;
  SourceExcerpt Excerpt;
  Excerpt.FirstLine = Last < MaxLines ? 1 : Last - MaxLines + 1;
  for (uint32_t Line = Excerpt.FirstLine; Line <= Last; ++Line) {
    std::string_view Text = Lines[Line - 1];
    if (Text.ends_with('\r'))
      Text.remove_suffix(1);
    Excerpt.Lines.emplace_back(Text);
  }
  return Excerpt;
}

const std::string *TwinInfo::sourceOf(const File &Of) const {
  if (!Recipe)
    return nullptr;
  if (Of.Unit >= 0) {
    if (static_cast<size_t>(Of.Unit) >= Recipe->Units.size())
      return nullptr;
    const Unit &U = Recipe->Units[static_cast<size_t>(Of.Unit)];
    return U.Lang == Unit::Language::OpenCLC ? &U.Text : nullptr;
  }
  // Headers given to clCompileProgram have no unit of their own.
  for (const Unit &U : Recipe->Units)
    for (const Header &H : U.Headers)
      if (H.Name == Of.Path)
        return &H.Text;
  auto Absolute = [](const std::string &Directory, const std::string &Path) {
    return (std::filesystem::path(Directory) / Path).lexically_normal();
  };
  for (const Unit &U : Recipe->Units)
    for (const Dependency &Each : U.Files)
      if (Each.Found == Dependency::State::Read &&
          Absolute({}, Each.Path) == Absolute(U.Directory, Of.Path))
        return &Each.Text;
  return nullptr;
}

std::optional<SourceExcerpt> TwinInfo::excerpt(const SourcePlace &At) {
  std::lock_guard Lock(Mutex);
  readAll();
  if (At.FileIndex < 0 || static_cast<size_t>(At.FileIndex) >= Files.size())
    return std::nullopt;
  const std::string *Source =
      sourceOf(Files[static_cast<size_t>(At.FileIndex)]);
  return Source ? linesBefore(*Source, At.Line) : std::nullopt;
}
