//===- report/formats/json.cpp - a finding as a line for programs ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is docs/reference/formats/findings.md. Its name ends in a version:
// fields may be added within a version, never removed or given another meaning.
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "report/formats/json_names.h"
#include "report/report.h"
#include "text/format.h"

#include <nlohmann/json.hpp>

using namespace warpsan;

namespace {

using Json = nlohmann::ordered_json;

Json placesOf(const std::vector<SourcePlace> &Places) {
  Json Out = Json::array();
  for (const SourcePlace &Place : Places)
    Out.push_back({{"file", Place.File},
                   {"line", Place.Line},
                   {"column", Place.Column},
                   {"function", Place.Function}});
  return Out;
}

Json framesOf(const std::vector<HostFrame> &Frames) {
  Json Out = Json::array();
  for (const HostFrame &Frame : Frames)
    Out.push_back({{"function", Frame.Function},
                   {"file", Frame.File},
                   {"line", Frame.Line},
                   {"module", Frame.Module},
                   {"offset", Frame.Offset},
                   {"python", Frame.Python}});
  return Out;
}

/// \p Accesses: it is an access, not a collective call.
Json siteOf(const SiteInfo &Site, bool Accesses) {
  return {{"access", Accesses ? jsonName(AccessNames, Site.What) : ""},
          {"space", Site.Space},
          {"builtin", Site.Builtin},
          {"type", Site.Type},
          {"bytes", Site.Bytes},
          {"align", Site.Align},
          {"member", Site.Member},
          {"member_element", Site.MemberElement},
          {"at", placesOf(Site.At)},
          {"order", Site.Order}};
}

Json rootOf(const RootInfo &Root) {
  Json Arg;
  if (Root.What == RootInfo::Kind::Argument || Root.ByValue)
    Arg = Root.Arg;
  return {{"kind", jsonName(RootNames, Root.What)},
          {"arg", std::move(Arg)},
          {"name", Root.Name},
          {"type", Root.Type},
          {"size", Root.Size},
          {"element", Root.Element},
          {"declared", placesOf(Root.Declared)},
          {"ended", placesOf(Root.Ended)}};
}

Json argOf(const Finding &F) {
  if (!F.Arg)
    return nullptr;
  return {{"index", F.Root.Arg},
          {"name", F.Arg->Name},
          {"type", F.Arg->Type},
          {"kind", F.Arg->Kind},
          {"const", F.Arg->Const}};
}

Json neighborsOf(const std::vector<Neighbor> &Near) {
  Json Out = Json::array();
  for (const Neighbor &N : Near)
    Out.push_back({{"offset", N.Offset},
                   {"size", N.Size},
                   {"created_by", N.CreatedBy},
                   {"created", framesOf(N.Created)},
                   {"freed", N.Freed},
                   {"touched", N.Touched}});
  return Out;
}

Json memoryOf(const MemoryInfo &Memory) {
  return {{"kind", jsonName(MemoryNames, Memory.What)},
          {"size", Memory.Size},
          {"read_only", Memory.ReadOnly},
          {"write_only", Memory.WriteOnly},
          {"object", Memory.Object},
          {"name", Memory.Name},
          {"sub_offset", Memory.SubOffset},
          {"parent_size", Memory.ParentSize},
          {"variable", Memory.Variable},
          {"created_by", Memory.CreatedBy},
          {"created", framesOf(Memory.Created)},
          {"released_by", Memory.ReleasedBy},
          {"released", framesOf(Memory.Released)},
          {"neighbors", neighborsOf(Memory.Near)}};
}

Json launchOf(const LaunchInfo &Launch) {
  return {{"number", Launch.Number},
          {"by", Launch.LaunchedBy},
          {"dimensions", Launch.Dimensions},
          {"offset", Launch.Offset},
          {"global", Launch.Global},
          {"local", Launch.Local},
          {"device", Launch.Device},
          {"launched", framesOf(Launch.Launched)}};
}

Json programOf(const ProgramInfo &Program) {
  return {{"number", Program.Number},
          {"created_by", Program.CreatedBy},
          {"created", framesOf(Program.Created)}};
}

std::string hexOf(const std::vector<uint8_t> &Bytes) {
  std::string Out;
  for (uint8_t Byte : Bytes) {
    constexpr const char *Digits = "0123456789abcdef";
    Out += Digits[Byte >> 4];
    Out += Digits[Byte & 15];
  }
  return Out;
}

Json sideOf(const DivergenceInfo::Side &Side) {
  return {{"items", Side.Items}, {"local_id", Side.LocalId}};
}

Json divergenceOf(const Finding &F) {
  if (!F.Divergence)
    return nullptr;
  Json Other;
  if (F.Divergence->Other)
    Other = {{"builtin", F.Divergence->Other->Builtin},
             {"at", placesOf(F.Divergence->Other->At)}};
  return {{"here", sideOf(F.Divergence->Here)},
          {"there", sideOf(F.Divergence->There)},
          {"other", std::move(Other)},
          {"branch", placesOf(F.Divergence->Branch)}};
}

Json mismatchOf(const Finding &F) {
  if (!F.Mismatch)
    return nullptr;
  return {{"argument", F.Mismatch->Name},
          {"pointer", F.Mismatch->IsPointer},
          {"here", F.Mismatch->Here},
          {"first", F.Mismatch->First}};
}

Json raceOf(const Finding &F) {
  if (!F.Race)
    return nullptr;
  Json Other, LocalId, GroupId;
  if (F.Race->Other)
    Other = siteOf(*F.Race->Other, /*Accesses=*/true);
  if (F.Race->LocalId)
    LocalId = *F.Race->LocalId;
  if (F.Race->GroupId)
    GroupId = *F.Race->GroupId;
  return {{"other", std::move(Other)},
          {"local_id", std::move(LocalId)},
          {"other_group", F.Race->IsOtherGroup},
          {"group_id", std::move(GroupId)}};
}

Json commandOf(const RacingCommand &Which) {
  return {{"call", Which.Call},
          {"kernel", Which.Kernel},
          {"access", jsonName(AccessNames, Which.What)},
          {"at", placesOf(Which.At)}};
}

Json commandsOf(const Finding &F) {
  if (!F.Commands)
    return nullptr;
  return {{"later", commandOf(F.Commands->Later)},
          {"earlier", commandOf(F.Commands->Earlier)},
          {"enqueued", framesOf(F.Commands->Enqueued)},
          {"same_queue", F.Commands->SameQueue},
          {"mapped", F.Commands->Mapped}};
}

Json canaryOf(const Finding &F) {
  if (!F.Canary)
    return nullptr;
  return {{"why", F.Canary->Why},
          {"was", hexOf(F.Canary->Was)},
          {"is", hexOf(F.Canary->Is)},
          {"alone", F.Canary->Alone}};
}

/// The first cell is the lowest bit of the first byte.
Json hitsOf(const Finding &F) {
  if (!F.Hits)
    return nullptr;
  std::vector<uint8_t> Bytes((F.Hits->Hit.size() + 7) / 8);
  for (size_t I = 0; I < F.Hits->Hit.size(); ++I)
    if (F.Hits->Hit[I])
      Bytes[I / 8] |= static_cast<uint8_t>(1U << I % 8);
  return {
      {"cells", F.Hits->Cells}, {"each", F.Hits->Each}, {"bits", hexOf(Bytes)}};
}

Json refutedOf(const Finding &F) {
  if (!F.Refuted)
    return nullptr;
  return {{"claims", F.Refuted->Claims}, {"values", F.Refuted->Values}};
}

Json followsOf(const Finding &F) {
  if (!F.Follows)
    return nullptr;
  return {{"id", F.Follows->Id}, {"location", F.Follows->Location}};
}

/// What is not UTF-8 becomes U+FFFD, so that the line can always be read.
std::string lineOf(const Json &Object) {
  return Object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json objectOf(const Finding &F) {
  Json Element, Excerpt, Where, PointsTo;
  if (F.Fell != Finding::Where::None)
    Where = jsonName(WhereNames, F.Fell);
  if (F.PointsTo != Finding::Target::Unknown)
    PointsTo = jsonName(TargetNames, F.PointsTo);
  if (F.Element)
    Element = *F.Element;
  if (F.Excerpt)
    Excerpt = {{"first_line", F.Excerpt->FirstLine},
               {"lines", F.Excerpt->Lines}};
  return {
      {"schema", FindingsSchema},
      {"type", "finding"},
      {"id", F.Id},
      {"fingerprint", F.Fingerprint},
      {"kind", nameOf(F.Kind)},
      {"title", titleOf(F)},
      {"kernel", F.Kernel},
      {"program", programOf(F.Program)},
      {"call", F.Call},
      {"site", siteOf(F.Site, !F.Divergence && !F.Mismatch)},
      {"root", rootOf(F.Root)},
      {"arg", argOf(F)},
      {"memory", memoryOf(F.Memory)},
      {"size", F.Size},
      {"image_size", F.ImageSize},
      {"offset", F.Offset},
      {"coordinates", F.Coordinates},
      {"performed", F.Performed},
      {"bytes", F.Bytes},
      {"where", std::move(Where)},
      {"distance", F.Distance},
      {"element", std::move(Element)},
      {"element_size", F.ElementSize},
      {"element_offset", F.ElementOffset},
      {"element_member", F.ElementMember},
      {"address", hex(F.Address)},
      {"points_to", std::move(PointsTo)},
      {"follows", followsOf(F)},
      {"global_id", F.GlobalId},
      {"local_id", F.LocalId},
      {"group_id", F.GroupId},
      {"local_size", F.LocalSize},
      {"launch", launchOf(F.Launch)},
      {"items", F.Items},
      {"hits", hitsOf(F)},
      {"excerpt", std::move(Excerpt)},
      {"canary", canaryOf(F)},
      {"divergence", divergenceOf(F)},
      {"mismatch", mismatchOf(F)},
      {"race", raceOf(F)},
      {"commands", commandsOf(F)},
      {"refuted", refutedOf(F)},
      {"cuda", F.Cuda},
      {"process", {{"pid", F.Process.Pid}, {"program", F.Process.Program}}},
      {"merged", nullptr},
  };
}

} // namespace

std::string warpsan::jsonOf(const Finding &F) { return lineOf(objectOf(F)); }

std::string warpsan::jsonOf(const CollectedFinding &F) {
  Json Object = objectOf(F.First);
  Object["merged"] = {
      {"launches", F.Launches}, {"items", F.Items}, {"processes", F.Processes}};
  return lineOf(Object);
}

std::string warpsan::jsonOfRepeat(const std::string &Id,
                                  const std::string &Fingerprint,
                                  uint64_t Launch, uint64_t Items,
                                  uint64_t Pid) {
  return lineOf({{"schema", FindingsSchema},
                 {"type", "repeat"},
                 {"id", Id},
                 {"fingerprint", Fingerprint},
                 {"launch", Launch},
                 {"items", Items},
                 {"pid", Pid}});
}
