//===- layer/twin/manifest.cpp - the compiler's description of a twin -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/manifest.h"

#include "abi/manifest.h"
#include "job/variant.h"
#include "layer/twin/manifest_json.h"

#include <algorithm>

using namespace warpsan;
using nlohmann::json;

static KernelPlan::Hidden::Kind hiddenKind(const std::string &Name) {
  using Kind = KernelPlan::Hidden::Kind;
  if (Name == "size")
    return Kind::Size;
  if (Name == "heap")
    return Kind::Heap;
  if (Name == "start")
    return Kind::Start;
  if (Name == "size_now")
    return Kind::SizeNow;
  if (Name == "objects")
    return Kind::Objects;
  if (Name == "tag")
    return Kind::Tag;
  if (Name == "local_shadow")
    return Kind::LocalShadow;
  if (Name == "shadow_base")
    return Kind::ShadowBase;
  if (Name == "table")
    return Kind::Table;
  if (Name == "key")
    return Kind::Key;
  if (Name == "shadow")
    return Kind::Shadow;
  if (Name == "shadow_launch")
    return Kind::ShadowLaunch;
  if (Name == "launch")
    return Kind::Launch;
  if (Name == "records")
    return Kind::Records;
  throw std::runtime_error("hidden argument of unknown kind " + Name);
}

static Node::Op opNamed(const std::string &Name) {
#define OP(name, operands)                                                     \
  if (Name == #name)                                                           \
    return Node::Op::name;
#include "proof/ops.def"
  throw std::runtime_error("a node of unknown kind " + Name);
}

/// \p Divergent: null if there are none.
static void readClaims(const json &From, const json *Divergent,
                       KernelPlan &Plan) {
  Claims &To = Plan.Claimed;
  for (const json &N : From.at("nodes"))
    To.Nodes.push_back(
        {opNamed(N.at(0)), N.at(1), N.at(2), N.at(3), N.at(4), N.at(5)});
  To.Conditions.clear();
  for (const json &C : From.at("conditions")) {
    if (C.at(0) > static_cast<int>(Condition::Predicate::ULE))
      throw std::runtime_error("a condition of unknown kind");
    To.Conditions.push_back({Condition::Predicate(C.at(0).get<int>()), C.at(1),
                             C.at(2), C.at(3), C.at(4)});
  }
  for (const json &L : From.at("loops"))
    To.Loops.push_back({L.at(0), L.at(1), L.at(2)});
  for (const json &C : From.at("contents"))
    To.Contents.push_back({C.at(0), C.at(1), C.at(2), C.at(3), C.at(4)});
  auto Read = [&](const char *Name, std::vector<Claim> &Some) {
    for (const json &C : From.at(Name))
      Some.push_back({C.at(0), C.at(1), C.at(2), C.at(3), C.at(4), C.at(5),
                      C.at(6), C.at(7) != 0, C.at(8) != 0});
  };
  Read("all", To.All);
  Read("by_contents", To.ByContents);
  if (Divergent)
    for (const json &Branch : *Divergent)
      To.Branches.push_back({Branch.at("if_true"), Branch.at("if_false")});
  if (const char *Wrong = invalidReason(To))
    throw std::runtime_error(Wrong);
  auto Decides = [&](size_t Arg) {
    if (Arg >= Plan.Args.size())
      throw std::runtime_error("a claim about an argument that is not there");
    Plan.Decides[Arg] = true;
  };
  for (const Node &N : To.Nodes)
    if (N.Opcode == Node::Op::argument)
      Decides(N.A);
  for (const Content &C : To.Contents)
    Decides(C.Arg);
  for (const std::vector<Claim> *Some : {&To.All, &To.ByContents})
    for (const Claim &C : *Some)
      if (C.Arg >= 0)
        Decides(static_cast<size_t>(C.Arg));
}

/// \p Plan has its claims.
static void readRaces(const json &From, KernelPlan &Plan) {
  RaceClaims &To = Plan.Races.emplace();
  To.WhyNot = From.value("why_not", "");
  if (!To.WhyNot.empty())
    return;
  for (size_t I = 0; I < To.Loops.size(); ++I)
    To.Loops[I] = From.at("loops").at(I).get<std::vector<uint32_t>>();
  for (const json &A : From.at("accesses")) {
    RaceAccess &Made = To.Accesses.emplace_back();
    A.at(0).get_to(Made.Site);
    A.at(1).get_to(Made.Where);
    A.at(2).get_to(Made.Offset);
    A.at(3).get_to(Made.Bytes);
    A.at(4).get_to(Made.Arg);
    A.at(5).get_to(Made.Variable);
    Made.setFlags(A.at(6));
    A.at(7).get_to(Made.Certain);
    A.at(8).get_to(Made.InLoop);
    constexpr size_t FirstArrival = 9;
    for (size_t I = FirstArrival; I < A.size(); ++I) {
      auto Iterations = A[I].get<std::vector<uint8_t>>();
      if (Iterations.empty())
        throw std::runtime_error("an access is behind no barrier");
      Iterations.erase(Iterations.begin());
      Made.Arrivals.push_back({A[I].at(0), std::move(Iterations)});
    }
    if (Made.Arg < 0)
      continue;
    if (static_cast<size_t>(Made.Arg) >= Plan.Args.size())
      throw std::runtime_error("an access to an argument that is not there");
    Plan.Decides[static_cast<size_t>(Made.Arg)] = true;
  }
  if (const char *Wrong = invalidReason(To, Plan.Claimed))
    throw std::runtime_error(Wrong);
}

static KernelPlan readKernel(const json &Kernel) {
  KernelPlan Plan;
  for (const json &Arg : Kernel.at("args")) {
    const std::string Kind = Arg.at("kind");
    Plan.Args.push_back(Kind == "global" || Kind == "constant"
                            ? KernelPlan::ArgKind::Memory
                        : Kind == "local"   ? KernelPlan::ArgKind::Local
                        : Kind == "image"   ? KernelPlan::ArgKind::Image
                        : Kind == "sampler" ? KernelPlan::ArgKind::Sampler
                                            : KernelPlan::ArgKind::Other);
    Plan.Unchanged.push_back(Arg.value("unchanged", false));
  }
  for (const json &Hidden : Kernel.at("hidden")) {
    KernelPlan::Hidden H{hiddenKind(Hidden.at("kind")), 0};
    if (H.isOfArgument())
      H.Arg = Hidden.at("arg").get<uint32_t>();
    H.Granule = Hidden.value("granule", uint64_t(0));
    if (H.isOfArgument() && H.Arg >= Plan.Args.size())
      throw std::runtime_error("hidden argument of an argument " +
                               std::to_string(H.Arg) + " that is not there");
    if (H.What == KernelPlan::Hidden::Kind::Launch)
      Plan.Reports = true;
    Plan.HiddenArgs.push_back(H);
  }
  Plan.Setter = Kernel.value("setter", false);
  Plan.Decides.resize(Plan.Args.size());
  Plan.WhyBarriersUnchecked = Kernel.value("divergence_unchecked", "");
  Plan.LocalBytes = Kernel.value("local_bytes", uint64_t(0));
  auto Divergent = Kernel.find("divergent");
  if (auto Claimed = Kernel.find("claims"); Claimed != Kernel.end())
    readClaims(*Claimed, Divergent == Kernel.end() ? nullptr : &*Divergent,
               Plan);
  if (auto Races = Kernel.find("races"); Races != Kernel.end())
    readRaces(*Races, Plan);
  for (const json &Site : Kernel.at("sites")) {
    const std::string State = Site.value("state", "");
    ++(State == "checked"   ? Plan.Checked
       : State == "proven"  ? Plan.Proven
       : State == "claimed" ? Plan.AtLaunch
                            : Plan.Untraced);
    const uint32_t Id = Site.at("id");
    if (State == "checked" &&
        std::ranges::find(Plan.Claimed.ByContents, Id, &Claim::Site) ==
            Plan.Claimed.ByContents.end())
      Plan.Unclaimed.push_back(Id);
  }
  return Plan;
}

std::string warpsan::readManifest(const std::string &Json, Manifest &Result) {
  try {
    const json Whole = manifestJson(Json);
    if (Whole.at("version") != ManifestVersion)
      return "the manifest has version " + Whole.at("version").dump() +
             ", this layer reads " + std::to_string(ManifestVersion);
    Result.MutableGlobals = Whole.at("mutable_globals");
    Result.Refused = Whole.value("refused", Result.Refused);
    std::string Macros;
    for (const std::string Each : Whole.value("driver_macros", json::array()))
      Macros += (Macros.empty() ? "" : ", ") + Each;
    for (const json &Kernel : Whole.at("kernels")) {
      KernelPlan &Plan = Result.Kernels[Kernel.at("name")];
      Plan = readKernel(Kernel);
      const std::string Named = Whole.at("variant");
      const std::optional<Variant> Which = variantNamed(Named);
      if (!Which)
        throw std::runtime_error("there is no variant " + Named);
      Plan.MayBeProven = Which->Lean && !Result.MutableGlobals;
      Plan.WhyRacesUnjudged = Kernel.value("races_unjudged", "");
      Plan.WatchesRaces =
          Kernel.contains("local_bytes") && !Kernel.contains("races_unjudged");
      Plan.WatchesGlobalMemory =
          Plan.WatchesRaces &&
          std::ranges::any_of(Plan.HiddenArgs, [](const auto &Hidden) {
            return Hidden.What == KernelPlan::Hidden::Kind::ShadowBase &&
                   Hidden.Granule;
          });
      if (!Macros.empty())
        Plan.WhyNotNative = "the source uses macros that the driver's "
                            "compiler may define differently: " +
                            Macros;
      if (!Kernel.at("attributes").value("uniform_work_group_size", false))
        Result.UniformGroups = false;
    }
    return {};
  } catch (const std::exception &Error) {
    return std::string("the manifest cannot be read: ") + Error.what();
  }
}
