//===- report/report.h - Findings as text and as JSON ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_REPORT_H
#define WARPSAN_REPORT_REPORT_H

#include "diagnose/finding.h"

#include <optional>
#include <string>

namespace warpsan {

struct TextStyle {
  bool Color = false;
  bool Addresses = false; ///< verbosity 2: raw addresses and module offsets
  size_t Columns = 94;    ///< of a line, where it can be folded
};

/// For a terminal its width, and color unless NO_COLOR is set; for anything
/// else the same for all.
TextStyle styleFor(int Descriptor);

/// A report as a person reads it, several lines, ending in a newline. Control
/// characters in names from the program are shown escaped.
std::string textOf(const Finding &F, const TextStyle &Style = {});

/// The first line of the text, without the id: a bug title.
std::string titleOf(const Finding &F);

/// "file:line:column" of the access, innermost function; names as they are, not
/// escaped. Empty if not known.
std::string locationOf(const Finding &F);

/// The frame that made the call that \p F is about, which is neither of a
/// library's header nor of a Python package if there is another; none if no
/// frame has a line.
std::optional<HostFrame> hostCallerOf(const Finding &F);

/// "file:line" in the host program, names as they are: of the wrong call; where
/// the kernel was launched if the access's place is not known; where the
/// program was created if its source has no name, or \p SourceIsThere says that
/// there is no such file. Empty if not known, and if the source is in a file.
std::string hostLocationOf(const Finding &F, bool SourceIsThere = true);

/// One JSON object and a newline (docs/reference/formats/findings.md).
std::string jsonOf(const Finding &F);

/// The line that says that a known finding came again:
/// {"schema":"warpsan-findings/2","type":"repeat","id":...}.
std::string jsonOfRepeat(const std::string &Id, const std::string &Fingerprint,
                         uint64_t Launch, uint64_t Items, uint64_t Pid);

} // namespace warpsan

#endif // WARPSAN_REPORT_REPORT_H
