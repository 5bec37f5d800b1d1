//===- test/robustness/fuzz_targets/suppressions.cpp - a file of
// suppressions -----------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/suppressions.h"

#include "test/report/samples/samples.h"
#include "test/robustness/fuzz_targets/demand.h"

using namespace warpsan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const std::vector<Finding> Findings = [] {
    std::vector<Finding> All;
    for (const samples::Sample &Each : samples::all())
      All.push_back(Each.Of.finding());
    return All;
  }();
  const Suppressions Read =
      parseSuppressions(fuzz::textOf(Data, Size), "known.supp");
  fuzz::demandPlain(Read.Problems);
  for (const Suppression &Each : Read.All) {
    fuzz::demand(!Each.Words.empty(), "no line matches everything", Each.Text);
    const Suppressions Again = parseSuppressions(Each.Text, "known.supp");
    fuzz::demand(Again.All.size() == 1 && Again.All[0].Words == Each.Words,
                 "a line says the same by itself", Each.Text);
  }
  for (const Finding &F : Findings)
    Read.find(F);
  return 0;
}
