//===- test/robustness/fuzz_targets/manifest.cpp - manifests of untrusted
// programs ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/manifest.h"

#include "layer/twin/twin_info.h"
#include "proof/prove.h"
#include "test/robustness/fuzz_targets/demand.h"

using namespace warpsan;

static void launch(const KernelPlan &Plan) {
  const std::string Bytes("\x10\0\0\0\0\0\0\0", 8);
  std::vector<LaunchValues::Arg> Args(Plan.Args.size());
  for (size_t I = 0; I < Args.size(); ++I)
    if (Plan.Args[I] == KernelPlan::ArgKind::Other)
      Args[I].Bytes = Bytes;
    else
      Args[I].Size = 64 << I % 8;
  std::vector<std::optional<LaunchValues::Range>> Contents;
  for (size_t I = 0; I < Plan.Claimed.Contents.size(); ++I)
    Contents.push_back(LaunchValues::Range{0, 15});
  for (uint64_t Items : {uint64_t(16), UINT64_MAX}) {
    LaunchValues Values;
    Values.Args = Args;
    Values.Contents = Contents;
    Values.Global = {Items, 4, 1};
    Values.Local = {4, 1, 1};
    Values.MaxLocal = 256;
    prove(Plan.Claimed, Plan.Claimed.All, Values);
    prove(Plan.Claimed, Plan.Claimed.ByContents, Values);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Json(fuzz::textOf(Data, Size));
  Manifest Read;
  if (std::string Wrong = readManifest(Json, Read); !Wrong.empty())
    return 0;
  auto How = std::make_shared<BuildRecipe>();
  How->Units.emplace_back().Text =
      "kernel void k(global int *a)\n{ *a = 1; }\n";
  // No file of this machine's is read.
  How->WorkingDirectory = "/nowhere";
  TwinInfo Info(Json, How);
  for (const auto &[Name, Plan] : Read.Kernels) {
    launch(Plan);
    auto Known = Info.kernel(Name);
    if (!Known)
      continue;
    for (const SiteInfo &Site : Known->Sites)
      for (const SourcePlace &At : Site.At)
        Info.excerpt(At);
  }
  return 0;
}
