//===- test/robustness/fuzz_targets/options.cpp - WARPSAN_OPTIONS ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "options/options.h"

#include "test/robustness/fuzz_targets/demand.h"
#include "text/patterns.h"

using namespace warpsan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Options Read;
  fuzz::demandPlain(parseOptions(Read, fuzz::textOf(Data, Size)));
  // What `warpsan run` hands to the layer says the same.
  std::string Text;
#define OPTION(type, name, value, help)                                        \
  Text += (Text.empty() ? "" : ":") + written(#name, Read.name);
  auto written = [](const char *Name, const auto &Value) {
    if constexpr (requires { std::to_string(Value); })
      return formatOption(Name, std::to_string(Value));
    else
      return formatOption(Name, Value);
  };
#include "options/options.def"
#undef OPTION
  Options Again;
  fuzz::demand(parseOptions(Again, Text).empty(),
               "options are read as they are written", Text);
#define OPTION(type, name, value, help)                                        \
  fuzz::demand(Read.name == Again.name, "an option stays the same: " #name,    \
               Text);
#include "options/options.def"
#undef OPTION
  for (const std::string &List : {Read.kernels, Read.skip_kernels})
    for (const std::string &Pattern : patternsIn(List))
      matchesKernel(Pattern, "_Z4copyPU3AS1fi");
  return 0;
}
