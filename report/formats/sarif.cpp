//===- report/formats/sarif.cpp - a report as SARIF 2.1.0 -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One run of one tool. A result's location is the access in the kernel's
// source, or else the host's line that launched it; allocation, release,
// declaration and launch are related locations, whole backtraces are stacks.
// What was not covered are notifications of the invocation. Code scanning
// services want relative URIs, lines from 1 and fingerprints.
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "report/formats/uri.h"
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

using namespace warpsan;

namespace {

using Json = nlohmann::ordered_json;

/// GitHub takes no more of a run.
constexpr size_t MostResults = 25000;
const char *const SourceRoot = "%SRCROOT%";

/// Names and sentences come from the program: nothing that a terminal obeys.
Json text(const std::string &Text) { return {{"text", printable(Text)}}; }

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// What is in bounds, or only costs memory, is a warning.
const char *levelOf(FindingKind Kind) {
  switch (Kind) {
  case FindingKind::misaligned:
  case FindingKind::write_to_read_only:
  case FindingKind::read_of_write_only:
  case FindingKind::write_to_const:
  case FindingKind::leak:
    return "warning";
  default:
    return "error";
  }
}

struct Rule {
  FindingKind Kind;
  const char *Name, *Title, *Help;
};

constexpr Rule Rules[] = {
#define KIND(id, name, title, help) {FindingKind::name, #name, title, help},
#include "abi/checks.def"
#undef KIND
};
/// Errors that a summary counts and nobody describes.
const char *const UntoldRule = "details_unavailable";

/// docs/reference/findings/NAME.md.
struct Page {
  std::string_view Name;
  const char *Markdown;
};
constexpr Page Pages[] = {
#include "kind_pages.inc"
};

/// What a viewer shows of a rule: there is no site that a URI could lead to.
Json helpOf(std::string_view Id, const std::string &Text) {
  Json Help = {{"text", Text}};
  if (const Page *Of = std::ranges::find(Pages, Id, &Page::Name);
      Of != std::end(Pages))
    Help["markdown"] = Of->Markdown;
  return Help;
}

Json ruleOf(const char *Id, const std::string &Title, const std::string &Help,
            const char *Level) {
  return {{"id", Id},
          {"shortDescription", {{"text", Title}}},
          {"fullDescription", {{"text", Help}}},
          {"help", helpOf(Id, Help)},
          {"defaultConfiguration", {{"level", Level}}}};
}

Json allRules() {
  Json Out = Json::array();
  for (const Rule &R : Rules)
    Out.push_back(ruleOf(R.Name, R.Title, R.Help, levelOf(R.Kind)));
  Out.push_back(ruleOf(UntoldRule, "error without details",
                       "an error that was counted, and not described: there "
                       "were more than max_findings, or only a summary was "
                       "read",
                       "error"));
  return Out;
}

size_t ruleIndex(FindingKind Kind) {
  return static_cast<size_t>(std::ranges::find(Rules, Kind, &Rule::Kind) -
                             std::begin(Rules));
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

class Locations {
public:
  explicit Locations(const std::filesystem::path &Sources)
      : Directory(Sources) {}

  /// Null without a file and a line.
  Json physical(const std::string &File, uint32_t Line,
                uint32_t Column = 0) const {
    if (File.empty() || !Line)
      return nullptr;
    const FileUri Uri = uriOf(File, Directory);
    Json Artifact = {{"uri", Uri.Uri}};
    if (Uri.Below)
      Artifact["uriBaseId"] = SourceRoot;
    Json Region = {{"startLine", Line}};
    if (Column)
      Region["startColumn"] = Column;
    return {{"artifactLocation", std::move(Artifact)},
            {"region", std::move(Region)}};
  }
  Json physical(const SourcePlace &Place) const {
    return physical(Place.File, Place.Line, Place.Column);
  }
  Json physical(const HostFrame &Frame) const {
    return physical(Frame.File, Frame.Line);
  }
  /// Of the first frame that has one.
  Json physical(const std::vector<HostFrame> &Frames) const {
    for (const HostFrame &Frame : Frames)
      if (Json Place = physical(Frame); !Place.is_null())
        return Place;
    return nullptr;
  }
  /// With the lines that are known of it.
  Json access(const Finding &F) const;

private:
  const std::filesystem::path &Directory;
};

/// SARIF counts characters, debug information bytes.
uint32_t columnIn(const std::string &Line, uint32_t Column) {
  const auto Bytes = std::min<size_t>(Column - 1, Line.size());
  return static_cast<uint32_t>(width(std::string_view(Line).substr(0, Bytes))) +
         1;
}

Json Locations::access(const Finding &F) const {
  if (F.Site.At.empty())
    return nullptr;
  const SourcePlace &Place = F.Site.At.front();
  Json Out = physical(Place);
  if (Out.is_null() || !F.Excerpt || !F.Excerpt->FirstLine ||
      F.Excerpt->FirstLine > Place.Line ||
      Place.Line - F.Excerpt->FirstLine >= F.Excerpt->Lines.size())
    return Out;
  const std::vector<std::string> &Lines = F.Excerpt->Lines;
  const std::string &Line = Lines[Place.Line - F.Excerpt->FirstLine];
  Json &Region = Out["region"];
  if (Place.Column)
    Region["startColumn"] = columnIn(Line, Place.Column);
  Region["snippet"] = {{"text", Line}};
  std::string Whole;
  for (const std::string &Each : Lines)
    Whole += Each + "\n";
  const uint64_t Last = uint64_t{F.Excerpt->FirstLine} + Lines.size() - 1;
  Out["contextRegion"] = {{"startLine", F.Excerpt->FirstLine},
                          {"endLine", Last},
                          {"snippet", {{"text", Whole}}}};
  return Out;
}

/// As the program made it; of a launch.
HostCall launchOf(const Finding &F) {
  return asCalled(F.Launch.LaunchedBy, F.Launch.Launched);
}

Json logicalOf(const Finding &F) {
  if (F.Kernel.empty())
    return nullptr;
  return Json::array({{{"name", printable(kernelName(F.Kernel))},
                       {"fullyQualifiedName", printable(F.Kernel)},
                       {"kind", "function"}}});
}

/// Where the program was created, if its source is in no file.
Json creationOf(const Finding &F, const Locations &Where) {
  const HostFrame *By =
      isInUnnamedSource(F) ? callerIn(F.Program.Created) : nullptr;
  return By ? Where.physical(*By) : Json();
}

Json locationsOf(const Finding &F, const Locations &Where) {
  Json Place = creationOf(F, Where);
  if (Place.is_null())
    Place = Where.access(F);
  if (Place.is_null())
    Place = Where.physical(launchOf(F).Frames);
  Json Kernel = logicalOf(F);
  Json Location = Json::object();
  if (!Place.is_null())
    Location["physicalLocation"] = std::move(Place);
  if (!Kernel.is_null())
    Location["logicalLocations"] = std::move(Kernel);
  return Location.empty() ? Json::array() : Json::array({std::move(Location)});
}

Json relatedOf(const Finding &F, const Locations &Where) {
  Json Out = Json::array();
  auto Add = [&Out](Json Place, const std::string &What) {
    if (!Place.is_null())
      Out.push_back({{"id", Out.size() + 1},
                     {"physicalLocation", std::move(Place)},
                     {"message", text(What)}});
  };
  if (!creationOf(F, Where).is_null())
    Add(Where.access(F), "the access, in the source of the program that " +
                             F.Program.CreatedBy + " creates");
  for (size_t I = 1; I < F.Site.At.size(); ++I)
    Add(Where.physical(F.Site.At[I]), "called here");
  for (const SourcePlace &Place : F.Root.Declared)
    Add(Where.physical(Place), "declared here");
  for (const SourcePlace &Place : F.Root.Ended)
    Add(Where.physical(Place), "its scope ends here");
  const HostCall Made = asCalled(F.Memory.CreatedBy, F.Memory.Created);
  if (F.Memory.Variable.empty())
    Add(Where.physical(Made.Frames), "created here: " + Made.Call);
  const HostCall Gone = asCalled(F.Memory.ReleasedBy, F.Memory.Released);
  Add(Where.physical(Gone.Frames), "released here: " + Gone.Call);
  if (F.Commands) {
    for (const RacingCommand *Each : {&F.Commands->Later, &F.Commands->Earlier})
      if (!Each->At.empty())
        Add(Where.physical(Each->At.front()),
            "accessed here by kernel " + kernelName(Each->Kernel));
    const HostCall Earlier =
        asCalled(F.Commands->Earlier.Call, F.Commands->Enqueued);
    Add(Where.physical(Earlier.Frames),
        "enqueued earlier here: " + Earlier.Call);
  }
  const HostCall Launch = launchOf(F);
  Add(Where.physical(Launch.Frames),
      (F.Call.empty() ? "launched here: " : "called here: ") + Launch.Call);
  return Out;
}

void addStack(Json &Stacks, const std::string &What, const HostCall &Call,
              const Locations &Where) {
  Json Frames = Json::array();
  for (const HostFrame &Frame : Call.Frames) {
    Json Location = Json::object();
    if (Json Place = Where.physical(Frame); !Place.is_null())
      Location["physicalLocation"] = std::move(Place);
    if (!Frame.Function.empty())
      Location["logicalLocations"] =
          Json::array({{{"fullyQualifiedName", printable(Frame.Function)},
                        {"kind", "function"}}});
    Json One = {{"location", std::move(Location)}};
    if (!Frame.Module.empty())
      One["module"] = printable(Frame.Module);
    Frames.push_back(std::move(One));
  }
  if (!Frames.empty())
    Stacks.push_back({{"message", text(What + " by " + Call.Call)},
                      {"frames", std::move(Frames)}});
}

Json stacksOf(const Finding &F, const Locations &Where) {
  Json Out = Json::array();
  addStack(Out, F.Call.empty() ? "launched" : "called", launchOf(F), Where);
  addStack(Out, "created", asCalled(F.Memory.CreatedBy, F.Memory.Created),
           Where);
  addStack(Out, "released", asCalled(F.Memory.ReleasedBy, F.Memory.Released),
           Where);
  if (F.Commands)
    addStack(Out, "enqueued earlier",
             asCalled(F.Commands->Earlier.Call, F.Commands->Enqueued), Where);
  return Out;
}

//===----------------------------------------------------------------------===//
// Results and what was not covered
//===----------------------------------------------------------------------===//

std::string messageOf(const Finding &F) {
  std::string Out = titleOf(F);
  if (!F.Call.empty())
    Out += ", in " + asCalled(F.Call, F.Launch.Launched).Call;
  else if (!F.Kernel.empty())
    Out += ", in kernel " + kernelName(F.Kernel);
  return Out + ".";
}

Json resultOf(const CollectedFinding &Found, const Locations &Where) {
  const Finding &F = Found.First;
  Json Out = {{"ruleId", nameOf(F.Kind)},
              {"ruleIndex", ruleIndex(F.Kind)},
              {"level", levelOf(F.Kind)},
              {"message", text(messageOf(F))},
              {"locations", locationsOf(F, Where)},
              {"partialFingerprints", {{"warpsanFinding/v2", F.Id}}}};
  if (Json Related = relatedOf(F, Where); !Related.empty())
    Out["relatedLocations"] = std::move(Related);
  if (Json Stacks = stacksOf(F, Where); !Stacks.empty())
    Out["stacks"] = std::move(Stacks);
  if (Found.Launches) // SARIF's: at least 1
    Out["occurrenceCount"] = std::min<uint64_t>(Found.Launches, INT32_MAX);
  Out["properties"] = {{"report", textOf(F)},
                       {"launches", Found.Launches},
                       {"workItems", Found.Items},
                       {"processes", Found.Processes},
                       {"program", printable(F.Process.Program)},
                       {"device", printable(F.Launch.Device)}};
  return Out;
}

Json resultOf(const Summary::FindingLine &Line) {
  std::string Message =
      Line.Title.empty() ? "an error without details" : Line.Title;
  if (!Line.Kernel.empty())
    Message += ", in " + kernelName(Line.Kernel);
  return {{"ruleId", UntoldRule},
          {"ruleIndex", std::size(Rules)},
          {"level", "error"},
          {"message", text(Message + ".")},
          {"partialFingerprints", {{"warpsanFinding/v2", printable(Line.Id)}}}};
}

Json notification(const char *Id, const char *Level,
                  const std::string &Message) {
  return {{"descriptor", {{"id", Id}}},
          {"level", Level},
          {"message", text(Message)}};
}

/// What a reader of the results must know besides.
Json notificationsOf(const Collection &All, size_t LeftOut) {
  Json Out = Json::array();
  if (LeftOut)
    Out.push_back(notification("left-out", "error",
                               number(LeftOut) +
                                   " more results are omitted "
                                   "here: " +
                                   number(MostResults) + " is the most."));
  if (!All.Coverage) {
    Out.push_back(notification("coverage", "note",
                               "Coverage is unknown: no summary was read."));
    return Out;
  }
  const Summary &Sum = *All.Coverage;
  if (std::string Problem = coverageProblem(Sum); !Problem.empty())
    Out.push_back(notification("coverage", "warning", Problem + "."));
  for (const Summary::GapLine &Gap : Sum.Gaps)
    Out.push_back(
        notification("gap", "warning",
                     "Not covered: " + Gap.Subject + ": " + Gap.Reason + " (" +
                         count(Gap.Launches, "launch", "launches") + ")."));
  auto Lost = [&Out](uint64_t Number, const char *Level, const char *What) {
    if (Number)
      Out.push_back(notification("lost", Level, number(Number) + What));
  };
  Lost(Sum.GapsLost, "warning", " gaps were not recorded.");
  Lost(Sum.FindingsLost, "error", " errors were not recorded.");
  Lost(Sum[Counter::records_lost], "error",
       " failed checks could not be described.");
  Lost(Sum[Counter::records_bad], "error",
       " records of failed checks could not be understood.");
  Lost(Sum[Counter::records_unread], "error",
       " failed checks had not been read when the process ended.");
  return Out;
}

Json descriptors() {
  Json Out = Json::array();
  for (const auto &[Id, Text] :
       {std::pair("coverage", "How much of the run was checked."),
        std::pair("gap", "A kernel or program that was not checked."),
        std::pair("lost", "What was found and could not be kept."),
        std::pair("left-out", "Results that this file has no room for.")})
    Out.push_back({{"id", Id}, {"shortDescription", {{"text", Text}}}});
  return Out;
}

} // namespace

std::string warpsan::sarifOf(const Collection &All,
                             const std::filesystem::path &Sources) {
  const Locations Where(Sources);
  Json Results = Json::array();
  size_t LeftOut = 0;
  auto Add = [&](const auto &Found, auto... Context) {
    if (Results.size() < MostResults)
      Results.push_back(resultOf(Found, Context...));
    else
      ++LeftOut;
  };
  for (const CollectedFinding &F : All.Findings)
    Add(F, Where);
  for (const Summary::FindingLine &Line : All.Untold)
    Add(Line);

  const bool Ran = !All.Coverage || All.Coverage->Processes > 0;
  Json Run = {
      {"tool",
       {{"driver",
         {{"name", "WarpSan"},
          {"version", WARPSAN_VERSION},
          {"semanticVersion", WARPSAN_VERSION},
          {"shortDescription",
           {{"text", "finds memory errors in GPU kernels"}}},
          {"rules", allRules()},
          {"notifications", descriptors()}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"originalUriBaseIds",
       {{SourceRoot, {{"uri", uriOfDirectory(Sources)}}}}},
      {"invocations", Json::array({{{"executionSuccessful", Ran},
                                    {"toolExecutionNotifications",
                                     notificationsOf(All, LeftOut)}}})},
      {"results", std::move(Results)},
  };
  const Json Root = {
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Json::array({std::move(Run)})},
  };
  return Root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
