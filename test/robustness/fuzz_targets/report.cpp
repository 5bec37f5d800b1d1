//===- test/robustness/fuzz_targets/report.cpp - findings files to every report
// format -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "test/robustness/fuzz_targets/demand.h"

#include <sstream>

using namespace warpsan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::istringstream File{std::string(fuzz::textOf(Data, Size))};
  Collector Reader;
  Reader.add(File, "findings.jsonl");
  fuzz::demandPlain(Reader.problems());
  const Collection All = Reader.finish();
  fuzz::demandPlain(textOf(All, {.Color = false, .Addresses = true}));
  fuzz::demandHtml(htmlOf(All));
  fuzz::demandXml(junitOf(All));
  fuzz::demandJson(sarifOf(All, "/sources"));
  const std::string Json = jsonOf(All);
  fuzz::demandJsonLines(Json);
  // It is read again without a problem.
  std::istringstream Written{Json};
  Collector Again;
  Again.add(Written, "merged.jsonl");
  fuzz::demand(Again.problems().empty(), "what was written can be read", Json);
  return 0;
}
