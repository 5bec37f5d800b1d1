//===- test/report/write_samples.cpp - the samples as a findings file -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// report_samples [hostile]   writes them to standard output, as the layer would
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include <cstdio>
#include <string_view>

using namespace warpsan;

int main(int Argc, char **Argv) {
  const bool Hostile = Argc > 1 && std::string_view(Argv[1]) == "hostile";
  uint64_t Pid = 0;
  for (const samples::Sample &S : samples::all()) {
    Finding F = Hostile ? samples::hostile(S.Of.finding()) : S.Of.finding();
    if (!Hostile)
      F.Process = {++Pid % 3 + 1, "samples"};
    std::fputs(jsonOf(F).c_str(), stdout);
    std::fputs(
        jsonOfRepeat(F.Id, F.Fingerprint, F.Launch.Number + 1, 2, F.Process.Pid)
            .c_str(),
        stdout);
  }
}
