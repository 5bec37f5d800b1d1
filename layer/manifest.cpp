//===- layer/manifest.cpp - the compiler's description of a twin ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/manifest.h"

#include "abi/manifest.h"

#include <nlohmann/json.hpp>

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
  if (Name == "launch")
    return Kind::Launch;
  if (Name == "records")
    return Kind::Records;
  throw std::runtime_error("hidden argument of unknown kind " + Name);
}

static KernelPlan readKernel(const json &Kernel) {
  KernelPlan Plan;
  for (const json &Arg : Kernel.at("args")) {
    const std::string Kind = Arg.at("kind");
    Plan.Args.push_back(Kind == "global" || Kind == "constant"
                            ? KernelPlan::ArgKind::Memory
                        : Kind == "local" ? KernelPlan::ArgKind::Local
                        : Kind == "image" ? KernelPlan::ArgKind::Image
                                          : KernelPlan::ArgKind::Other);
  }
  for (const json &Hidden : Kernel.at("hidden")) {
    KernelPlan::Hidden H{hiddenKind(Hidden.at("kind")), 0};
    if (H.isOfArgument())
      H.Arg = Hidden.at("arg").get<uint32_t>();
    if (H.isOfArgument() && H.Arg >= Plan.Args.size())
      throw std::runtime_error("hidden argument of an argument " +
                               std::to_string(H.Arg) + " that is not there");
    if (H.What == KernelPlan::Hidden::Kind::Launch)
      Plan.Reports = true;
    Plan.HiddenArgs.push_back(H);
  }
  for (const json &Need : Kernel.at("needs")) {
    Plan.Needs.push_back({Need.at("arg"), Need.at("read"), Need.at("write")});
    if (Plan.Needs.back().Arg >= Plan.Args.size())
      throw std::runtime_error("a need of an argument that is not there");
  }
  for (const json &Site : Kernel.at("sites")) {
    const std::string State = Site.value("state", "");
    ++(State == "checked"  ? Plan.Checked
       : State == "proven" ? Plan.Proven
                           : Plan.Untraced);
  }
  return Plan;
}

std::string warpsan::readManifest(const std::string &Json, Manifest &Result) {
  try {
    const json Whole = json::parse(Json);
    if (Whole.at("version") != ManifestVersion)
      return "the manifest has version " + Whole.at("version").dump() +
             ", this layer reads " + std::to_string(ManifestVersion);
    Result.MutableGlobals = Whole.at("mutable_globals");
    for (const json &Kernel : Whole.at("kernels")) {
      Result.Kernels[Kernel.at("name")] = readKernel(Kernel);
      if (!Kernel.at("attributes").value("uniform_work_group_size", false))
        Result.UniformGroups = false;
    }
    return {};
  } catch (const std::exception &Error) {
    return std::string("the manifest cannot be read: ") + Error.what();
  }
}
