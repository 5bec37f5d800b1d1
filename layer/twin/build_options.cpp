//===- layer/twin/build_options.cpp - which build options a twin is built
// with -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/build_options.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>

using namespace warpsan;

/// clBuildProgram's options that OpenCL allows for IL and that change code.
/// The others were for the front end, which warpsan-clc has been.
static constexpr std::array<std::string_view, 10> ForIL = {
    "-cl-denorms-are-zero",
    "-cl-fast-relaxed-math",
    "-cl-finite-math-only",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-no-subgroup-ifp",
    "-cl-opt-disable",
    "-cl-uniform-work-group-size",
    "-cl-unsafe-math-optimizations",
};

static std::set<std::string> optionsOf(const std::string &Text) {
  std::set<std::string> Found;
  std::istringstream Words(Text);
  for (std::string Word; Words >> Word;)
    if (std::ranges::find(ForIL, Word) != ForIL.end())
      Found.insert(Word);
  return Found;
}

/// The newest -cl-std= of all units, empty if none has one. Intel's runtime
/// reads it for SPIR-V too: without it, atomics become the builtins of OpenCL C
/// 1.2, which take no generic pointers.
static std::string languageOf(const BuildRecipe &Recipe) {
  std::string Newest;
  for (const Unit &U : Recipe.Units) {
    std::istringstream Words(U.Options);
    for (std::string Word; Words >> Word;)
      if (Word.starts_with("-cl-std="))
        Newest = std::max(Newest, Word); // CL1.2 < CL3.0 < clc++2021
  }
  return Newest;
}

std::string warpsan::optionsForTwin(const BuildRecipe &Recipe,
                                    bool UniformGroups) {
  if (Recipe.Units.empty())
    return {};
  std::set<std::string> Common = optionsOf(Recipe.Units.front().Options);
  for (const Unit &U : Recipe.Units) {
    std::set<std::string> Here = optionsOf(U.Options);
    std::erase_if(Common,
                  [&](const std::string &Word) { return !Here.count(Word); });
  }
  Common.merge(optionsOf(Recipe.LinkOptions));
  if (std::string Language = languageOf(Recipe); !Language.empty())
    Common.insert(Language);
  if (UniformGroups)
    Common.insert("-cl-uniform-work-group-size");
  std::string Joined;
  for (const std::string &Word : Common)
    Joined += (Joined.empty() ? "" : " ") + Word;
  return Joined;
}
