//===- test/robustness/fuzz_targets/build_options.cpp - options of
// clBuildProgram ---------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/build_options.h"

#include "compiler/frontend/build_options.h"
#include "test/robustness/fuzz_targets/demand.h"

#include <set>
#include <sstream>

using namespace warpsan;

/// What is given to clang is what we chose to give.
static void demandChosen(const std::vector<std::string> &Arguments) {
  static const std::set<std::string> WithValue = {"-D", "-U", "-I", "-include",
                                                  "-isystem"};
  for (size_t I = 0; I < Arguments.size(); ++I) {
    if (WithValue.count(Arguments[I])) {
      ++I;
      fuzz::demand(I < Arguments.size(), "an option has its value");
      continue;
    }
    fuzz::demand(Arguments[I].starts_with("-cl-") ||
                     Arguments[I] == "-ffp-contract=off" ||
                     Arguments[I].starts_with("-fdenormal-fp-math-f32="),
                 "an option is known", Arguments[I]);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // Units' options, then the linker's.
  std::istringstream Lines{std::string(fuzz::textOf(Data, Size))};
  BuildRecipe How;
  for (std::string Line; std::getline(Lines, Line);) {
    demandChosen(parseBuildOptions(Line, "CL1.2").ClangArguments);
    How.LinkOptions = Line;
    How.Units.emplace_back().Options = Line;
  }
  if (How.Units.size() > 1)
    How.Units.pop_back();
  std::istringstream Words(optionsForTwin(How, Size % 2));
  for (std::string Word; Words >> Word;)
    fuzz::demand(Word.starts_with("-cl-"), "an option is known", Word);
  return 0;
}
