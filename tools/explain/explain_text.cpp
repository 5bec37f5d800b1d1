//===- tools/explain/explain_text.cpp - a kernel's accesses, in words -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/explain/explain_text.h"

#include "proof/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace warpsan;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// "file.cl:12:7: ", or empty: SPIR-V may have no lines.
static std::string placeOf(const json &Manifest, const json &Site) {
  if (!Site.contains("at"))
    return {};
  const json &At = Manifest.at("locations").at(Site.at("at").get<size_t>());
  const json &File = Manifest.at("files").at(At.at("file").get<size_t>());
  std::string Path = File.at("path");
  return Path.substr(Path.rfind('/') + 1) + ":" + At.at("line").dump() + ":" +
         At.at("column").dump() + ": ";
}

/// What is accessed: "float 'a'".
static std::string whatIsAccessed(const json &Kernel, const json &Site) {
  std::string Text = Site.value("type", Site.value("builtin", "?"));
  if (!Site.contains("root"))
    return Text;
  const json &Root = Kernel.at("roots").at(Site.at("root").get<size_t>());
  std::string Name = Root.value("name", "");
  if (Root.contains("arg"))
    Name = Kernel.at("args").at(Root.at("arg").get<size_t>()).value("name", "");
  return Name.empty() ? Text : Text + " of '" + Name + "'";
}

static std::string sizeOf(const Claim &C, const LaunchValues *Launch) {
  if (C.Arg < 0)
    return std::to_string(C.Size);
  return Launch ? std::to_string(Launch->Args[static_cast<size_t>(C.Arg)].Size)
                : "its";
}

/// One claim, in a launch or in general.
static std::string claimText(const ExplainedKernel &K, const Claim &C,
                             const Verdict *V,
                             const std::vector<std::string> &Names) {
  if (!V) {
    std::string Text = "decided at launch: byte " +
                       nodeText(K.Plan.Claimed, C.Offset, Names) + " and " +
                       std::to_string(C.Bytes - 1) + " more of " +
                       sizeOf(C, nullptr) + " bytes";
    for (uint32_t At = C.Where; At; At = K.Plan.Claimed.Conditions[At].Outer)
      Text +=
          "\n      where " +
          conditionText(K.Plan.Claimed, K.Plan.Claimed.Conditions[At], Names);
    return Text;
  }
  auto End = [](std::optional<int64_t> N, const char *Else) {
    return N ? std::to_string(*N) : Else;
  };
  const auto Last =
      V->Max ? std::optional(*V->Max + static_cast<int64_t>(C.Bytes) - 1)
             : std::nullopt;
  if (V->Holds && V->Min && V->Max && *V->Max < *V->Min)
    return "proven: no work-item performs it in this launch";
  return std::string(V->Holds ? "proven" : "not proven, so checked") +
         ": bytes " + End(V->Min, "?") + " to " + End(Last, "?") + " of " +
         sizeOf(C, K.Launch) +
         (V->Holds
              ? ""
              : std::string(V->MayOverflow
                                ? "\n      an overflow, or other undefined "
                                  "behavior, is not ruled out"
                                : "") +
                    "\n      at byte " +
                    nodeText(K.Plan.Claimed, C.Offset, Names));
}

/// "a.cl:7:3: " of the location that \p Of has under \p Name; may be empty.
static std::string placeOf(const json &Manifest, const json &Of,
                           const char *Name) {
  return Of.contains(Name) ? placeOf(Manifest, {{"at", Of.at(Name)}}) : "";
}

/// The branches that must be uniform: why the kernel's proofs are void without.
static std::string branchesText(const ExplainedKernel &K,
                                const std::vector<std::string> &Names) {
  const Claims &Of = K.Plan.Claimed;
  std::string Text;
  for (size_t I = 0; I < Of.Branches.size(); ++I) {
    const json &Site = K.Kernel.at("divergent").at(I);
    const BarrierBranch &B = Of.Branches[I];
    std::string Call = placeOf(K.Manifest, Site, "call");
    if (!Call.empty())
      Call = " at " + Call.substr(0, Call.size() - 2);
    const std::string Builtin = Site.value("builtin", "barrier");
    const bool OfArguments = Site.value("arguments", false);
    Text += "  ";
    if (OfArguments)
      Text += placeOf(K.Manifest, Site, "call") + "arguments of " + Builtin;
    else
      Text += placeOf(K.Manifest, Site) + "branch that decides who reaches " +
              Builtin + Call;
    Text += "\n    ";
    // What its direction adds to what holds where it is.
    auto Direction = [&](uint32_t Edge, uint32_t Other) {
      std::string Says;
      for (uint32_t At = Edge; At; At = Of.Conditions[At].Outer) {
        bool Shared = false;
        for (uint32_t Up = Other; Up; Up = Of.Conditions[Up].Outer)
          Shared |= Up == At;
        if (Shared)
          break;
        Says = conditionText(K.Plan.Claimed, Of.Conditions[At], Names) +
               (Says.empty() ? "" : " and ") + Says;
      }
      return Says.empty() ? std::string("?") : Says;
    };
    const std::string Both = OfArguments
                                 ? std::string()
                                 : ": " + Direction(B.IfTrue, B.IfFalse) +
                                       ", or " + Direction(B.IfFalse, B.IfTrue);
    if (!K.Launch)
      Text += "may differ within a work-group, so decided at launch" + Both;
    else if (isUniform(Of, B, *K.Launch))
      Text += "the same for all work-items of a work-group";
    else
      Text +=
          "may differ within a work-group, so all accesses are checked" + Both;
    Text += "\n";
  }
  return Text;
}

/// Which accesses may race, if that is asked about.
static std::string racesText(const ExplainedKernel &K, bool MayDiverge) {
  if (!K.Plan.Races)
    return K.Plan.Setter && K.AsksRaces
               ? "  races are not looked for: it only sets variables of its "
                 "program\n"
               : "";
  const RaceClaims &Of = *K.Plan.Races;
  const std::string Watched = "    so a twin watches every access\n";
  if (!Of.WhyNot.empty())
    return "  races are not proven absent: " + Of.WhyNot + "\n" + Watched;
  if (!K.Launch)
    return "  races between " + std::to_string(Of.Accesses.size()) +
           " accesses are decided at launch\n";
  if (MayDiverge)
    return "  races are not proven absent: a work-group may diverge\n" +
           Watched;
  if (K.Races.empty())
    return "  no two accesses race\n";
  auto Access = [&](uint32_t Index) {
    const json &Site = K.Kernel.at("sites").at(Of.Accesses[Index].Site);
    return placeOf(K.Manifest, Site) + Site.at("access").get<std::string>() +
           " of " + whatIsAccessed(K.Kernel, Site);
  };
  std::string Text = "  races are not proven absent between work-items of\n";
  for (const PossibleRace &Each : K.Races)
    Text +=
        std::string("    ") +
        (Each.BetweenGroups ? "different work-groups: " : "one work-group: ") +
        Access(Each.A) +
        (Each.A == Each.B ? ", with itself" : ", " + Access(Each.B)) + "\n";
  return Text + "    so a twin watches these accesses\n";
}

std::string warpsan::explain(const ExplainedKernel &K) {
  std::vector<std::string> Names;
  for (const json &Arg : K.Kernel.at("args"))
    Names.push_back(Arg.value("name", ""));
  std::string Text = "kernel " + K.Kernel.at("name").get<std::string>() + "\n";
  size_t Checked = 0, Always = 0, Claimed = 0, ByContents = 0, Failed = 0,
         Untraced = 0;
  for (const json &Site : K.Kernel.at("sites")) {
    const std::string State = Site.at("state");
    Text += "  " + placeOf(K.Manifest, Site) +
            Site.at("access").get<std::string>() + " of " +
            whatIsAccessed(K.Kernel, Site) + "\n    ";
    // What there is to say of it: a line for each claim, and whether all hold.
    bool Holds = true;
    std::string Lines;
    auto Add = [&](const std::vector<Claim> &Some,
                   const std::vector<Verdict> &Verdicts) {
      for (size_t I = 0; I < Some.size(); ++I) {
        if (Some[I].Site != Site.at("id"))
          continue;
        const Verdict *V = K.Launch ? &Verdicts[I] : nullptr;
        Holds &= V && V->Holds;
        Lines +=
            (Lines.empty() ? "" : "\n    ") + claimText(K, Some[I], V, Names);
      }
    };
    Add(K.Plan.Claimed.All, K.Verdicts);
    Add(K.Plan.Claimed.ByContents, K.VerdictsByContents);
    if (State == "checked" && K.Launch && Holds && !Lines.empty()) {
      ++ByContents;
      Text += Lines;
    } else if (State == "proven") {
      ++Always;
      Text += "always in bounds";
    } else if (State == "checked") {
      ++Checked;
      Text += "checked: " + Site.value("why", "proofs do not know its kind");
      if (!Lines.empty())
        Text += "\n    " + Lines;
    } else if (State != "claimed") {
      ++Untraced;
      Text += "not checked: its object is unknown";
    } else {
      ++(Holds || !K.Launch ? Claimed : Failed);
      Text += Lines;
    }
    Text += "\n";
  }
  Text += branchesText(K, Names);
  const bool MayDiverge = K.Launch && !areUniform(K.Plan.Claimed, *K.Launch);
  Text += racesText(K, MayDiverge);
  const bool Watched =
      K.Plan.Races && (!K.Plan.Races->WhyNot.empty() || !K.Races.empty());
  auto Count = [&](size_t N, const char *What) {
    if (N)
      Text += " " + std::to_string(N) + " " + What + ",";
  };
  Text += " ";
  Count(Always, "always in bounds");
  Count(Claimed, K.Launch ? "proven in this launch" : "decided at launch");
  Count(ByContents, "proven by buffer value ranges");
  Count(Failed, "not proven in this launch");
  Count(Checked, "checked");
  Count(Untraced, "not checked");
  if (Text.back() == ' ')
    Text += "no access,";
  Text.pop_back();
  if (!K.Launch)
    return Text + ".\n";
  if (MayDiverge)
    return Text + ", but a work-group may diverge: a twin checks every "
                  "access.\n";
  if (Watched)
    return Text + ": a twin watches for races.\n";
  if (!K.Plan.MayBeProven || Failed + Checked > 0)
    return Text + ": a twin checks the remaining accesses.\n";
  if (K.Plan.WhyNotNative.empty())
    return Text + ": the native kernel runs.\n";
  return Text + ": its twin runs, since " + K.Plan.WhyNotNative + ".\n";
}
