//===- test/robustness/fuzz_targets/summary.cpp - a run's summary as JSON -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/status.h"
#include "test/robustness/fuzz_targets/demand.h"

using namespace warpsan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  ReadSummary Read = readSummary(fuzz::textOf(Data, Size));
  fuzz::demandPlain(Read.Problem);
  if (!Read.Problem.empty())
    return 0;
  fuzz::demandPlain(summaryText(Read.Sum, 2, {"findings.jsonl"}));
  fuzz::demandPlain(coverageProblem(Read.Sum));
  fuzz::demandPlain(remarksOf(Read.Sum));
  const std::string Json = summaryJson(Read.Sum, true);
  const ReadSummary Again = readSummary(Json);
  fuzz::demand(Again.Problem.empty(), "what was written can be read", Json);
  fuzz::demand(summaryJson(Again.Sum, true) == Json,
               "what was read is what was written", Json);
  Summary Both;
  addSummary(Both, Read.Sum);
  addSummary(Both, Again.Sum);
  fuzz::demandPlain(summaryText(Both));
  return 0;
}
