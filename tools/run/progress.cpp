//===- tools/run/progress.cpp - why a program seems to stand still --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/run/progress.h"

#include "status/status.h"
#include "text/format.h"

#include <cstdio>
#include <unistd.h>
#include <vector>

using namespace warpsan;

bool Progress::isWanted() { return isatty(STDERR_FILENO); }

void Progress::look() {
  using namespace std::chrono;
  std::vector<std::string> Unfinished; // files that are just being made
  const Summary Sum = readRunDir(Directory, Unfinished);
  if (!Sum[Counter::twin_waiting]) {
    Waiting.reset();
    Next = seconds(2);
    return;
  }
  const auto Now = steady_clock::now();
  if (!Waiting)
    Waiting = Now;
  // In the background a terminal may stop who writes to it.
  if (Now - *Waiting < Next || tcgetpgrp(STDERR_FILENO) != getpgrp())
    return;
  std::fprintf(
      stderr, "WarpSan: instrumenting kernels of program %s, for %s s so far\n",
      number(Sum[Counter::programs_launched] + 1).c_str(),
      number(static_cast<uint64_t>(Next.count())).c_str());
  Next = Next == seconds(2) ? seconds(5) : 2 * Next;
}
