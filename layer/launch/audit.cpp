//===- layer/launch/audit.cpp - proofs that are checked all the same ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/audit.h"

#include "layer/svm/arg_bounds.h"
#include "layer/twin/manifest.h"
#include "layer/twin/twin_info.h"
#include "proof/text.h"

#include <algorithm>
#include <cstring>

using namespace warpsan;

/// A scalar's bytes as a signed number; in hexadecimal if it is no integer of
/// the usual sizes.
static std::string numberOf(const std::string &Bytes) {
  int64_t Value = 0;
  switch (Bytes.size()) {
  case 1:
    return std::to_string(static_cast<int8_t>(Bytes[0]));
  case 2: {
    int16_t Short = 0;
    std::memcpy(&Short, Bytes.data(), sizeof(Short));
    return std::to_string(Short);
  }
  case 4: {
    int32_t Int = 0;
    std::memcpy(&Int, Bytes.data(), sizeof(Int));
    return std::to_string(Int);
  }
  case 8:
    std::memcpy(&Value, Bytes.data(), sizeof(Value));
    return std::to_string(Value);
  default:
    break;
  }
  std::string Text = "0x";
  for (const char Each : Bytes) {
    constexpr const char *Digits = "0123456789abcdef";
    const auto Byte = static_cast<uint8_t>(Each);
    Text += Digits[Byte >> 4];
    Text += Digits[Byte & 15];
  }
  return Text;
}

static std::vector<std::string> argNames(TwinInfo &Info,
                                         const std::string &Kernel) {
  std::vector<std::string> Names;
  if (const auto Of = Info.kernel(Kernel))
    for (const ArgInfo &Arg : Of->Args)
      Names.push_back(Arg.Name);
  return Names;
}

static std::string argText(const std::vector<std::string> &Names,
                           size_t Index) {
  return Index < Names.size() && !Names[Index].empty()
             ? Names[Index]
             : "argument " + std::to_string(Index);
}

std::shared_ptr<const AuditedLaunch>
warpsan::auditedLaunch(const TwinPool &Lean, KernelArgs &Args,
                       const ProofResult &Proven) {
  auto Result = std::make_shared<AuditedLaunch>();
  Result->Left = Proven.Left;
  Result->Racing = Proven.Racing;
  Result->Lean = Lean.Of->Info;
  const KernelPlan &Plan = *Lean.Plan;
  const std::vector<std::string> Names =
      argNames(*Lean.Of->Info, Lean.Of->Name);
  Args.look([&](size_t Index, const KernelArg &Arg) {
    if (Index >= Plan.Args.size() || !Plan.Decides[Index])
      return;
    std::string Text = argText(Names, Index);
    if (Plan.Args[Index] == KernelPlan::ArgKind::Other) {
      Text += " = " + numberOf(Arg.Bytes);
    } else {
      const ArgBounds Bounds = boundsOf(Arg, Plan.Args[Index]);
      Text += ": " + std::to_string(Bounds.Size & WS_SIZE_BITS) + " bytes";
      if (Bounds.Start)
        Text += ", from byte " + std::to_string(Bounds.Start) + " on";
    }
    Result->Values.push_back(std::move(Text));
  });
  return Result;
}

/// What \p C claims, in words.
static std::string claimText(const Claims &Of, const Claim &C,
                             const std::vector<std::string> &Names) {
  std::string Text =
      "byte " + nodeText(Of, C.Offset, Names) + " and " +
      std::to_string(C.Bytes - 1) + " more of " +
      (C.Arg >= 0 ? argText(Names, static_cast<size_t>(C.Arg))
                  : "a variable of " + std::to_string(C.Size) + " bytes");
  for (uint32_t At = C.Where; At; At = Of.Conditions[At].Outer)
    Text += (At == C.Where ? ", where " : " and ") +
            conditionText(Of, Of.Conditions[At], Names);
  return Text;
}

static std::string three(const std::array<uint64_t, 3> &Sizes,
                         uint32_t Dimensions) {
  std::string Text;
  for (uint32_t I = 0; I < Dimensions && I < Sizes.size(); ++I)
    Text += (I ? "," : "") + std::to_string(Sizes[I]);
  return Text;
}

/// True if \p Launch had proven that the access number \p Site is no finding of
/// \p Kind.
static bool wasProven(const AuditedLaunch &Launch, FindingKind Kind,
                      uint32_t Site) {
  if (Kind == FindingKind::data_race)
    return Launch.Racing && !std::ranges::binary_search(*Launch.Racing, Site);
  // A free that came after the launch is no matter of its proof.
  return Kind != FindingKind::use_after_free &&
         !std::ranges::binary_search(Launch.Left, Site);
}

void warpsan::noteIfRefuted(Finding &F, const LoggedLaunch &L, uint32_t Site,
                            uint32_t Test) {
  if (!L.Audited || !wasProven(*L.Audited, F.Kind, Site))
    return;
  RefutedProof &Refuted = F.Refuted.emplace();
  if (F.Kind == FindingKind::data_race)
    Refuted.Claims.push_back("the access races with none of the launch");
  Manifest Read;
  readManifest(L.Audited->Lean->manifest(), Read);
  const Claims &Of = Read.Kernels[L.Kernel->Name].Claimed;
  const std::vector<std::string> Names =
      argNames(*L.Audited->Lean, L.Kernel->Name);
  for (const std::vector<Claim> *Some : {&Of.All, &Of.ByContents})
    for (const Claim &C : *Some)
      if (C.Site == Site && F.Kind != FindingKind::data_race)
        Refuted.Claims.push_back(claimText(Of, C, Names));
  const bool Chosen = L.Local[0] != 0;
  Refuted.Values = {"--global " + three(L.Global, L.Dimensions) +
                    (Chosen ? " --local " + three(L.Local, L.Dimensions) : "") +
                    " --offset " + three(L.Offset, L.Dimensions)};
  Refuted.Values.insert(Refuted.Values.end(), L.Audited->Values.begin(),
                        L.Audited->Values.end());
  // Not the same error where nothing was proven.
  F.Id = findingId(F.Kind, F.Kernel + " (refuted)", F.Site, Site, Test);
  if (const auto Kernel = L.Kernel->Info->kernel(L.Kernel->Name))
    F.Fingerprint = findingFingerprint(F, Kernel->SourceHash, Site, Test);
}
