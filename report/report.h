//===- report/report.h - Findings as text and as JSON ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_REPORT_H
#define WARPSAN_REPORT_REPORT_H

#include "diagnose/finding.h"

#include <string>

namespace warpsan {

struct TextStyle {
  bool Colour = false;
  bool Addresses = false; ///< verbosity 2: raw addresses and module offsets
  size_t Columns = 94;    ///< of a line, where it can be folded
};

/// For a terminal its width, and colour unless NO_COLOR is set; for anything
/// else the same for all.
TextStyle styleFor(int Descriptor);

/// A report as a person reads it, several lines, ending in a newline. Control
/// characters in names from the program are shown escaped.
std::string textOf(const Finding &F, const TextStyle &Style = {});

/// The first line of the text, without the id: a bug title.
std::string titleOf(const Finding &F);

/// One JSON object on one line, ending in a newline; docs/findings.md.
std::string jsonOf(const Finding &F);

/// The line that says that a known finding came again:
/// {"schema":"warpsan-findings/1","type":"again","id":...}.
std::string jsonOfAgain(const std::string &Id, const std::string &Fingerprint,
                        uint64_t Launch, uint64_t Items, uint64_t Pid);

} // namespace warpsan

#endif // WARPSAN_REPORT_REPORT_H
