//===- report/text/terminal.cpp - how a report looks where it is read -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/report.h"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace warpsan;

TextStyle warpsan::styleFor(int Descriptor) {
  TextStyle Style;
  if (!isatty(Descriptor))
    return Style;
  const char *NoColor = std::getenv("NO_COLOR");
  Style.Color = !(NoColor && *NoColor);
  // Narrower than the least, lines are folded by the terminal; wider than the
  // most, an eye has too far to go from a title to its id.
  constexpr size_t Least = 60, Most = 120;
  winsize Size = {};
  if (ioctl(Descriptor, TIOCGWINSZ, &Size) == 0 && Size.ws_col)
    Style.Columns = std::clamp<size_t>(Size.ws_col, Least, Most);
  return Style;
}
