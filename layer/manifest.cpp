//===- layer/manifest.cpp - the compiler's description of a twin ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/manifest.h"

#include <nlohmann/json.hpp>

using namespace warpsan;
using nlohmann::json;

static KernelPlan readKernel(const json &Kernel) {
  KernelPlan Plan;
  for (const json &Arg : Kernel.at("args")) {
    const std::string Kind = Arg.at("kind");
    Plan.Args.push_back(Kind == "global" || Kind == "constant"
                            ? KernelPlan::ArgKind::Memory
                        : Kind == "local" ? KernelPlan::ArgKind::Local
                                          : KernelPlan::ArgKind::Other);
  }
  for (const json &Hidden : Kernel.at("hidden")) {
    const std::string Kind = Hidden.at("kind");
    if (Kind == "size")
      Plan.HiddenArgs.push_back(
          {KernelPlan::Hidden::Kind::Size, Hidden.at("arg").get<uint32_t>()});
    else if (Kind == "launch")
      Plan.HiddenArgs.push_back({KernelPlan::Hidden::Kind::Launch, 0});
    else if (Kind == "records")
      Plan.HiddenArgs.push_back({KernelPlan::Hidden::Kind::Records, 0});
    else
      throw std::runtime_error("hidden argument of unknown kind " + Kind);
  }
  return Plan;
}

std::string warpsan::readManifest(const std::string &Json, Manifest &Result) {
  try {
    const json Whole = json::parse(Json);
    if (Whole.at("version") != 1)
      return "the manifest has version " + Whole.at("version").dump() +
             ", this layer reads 1";
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
