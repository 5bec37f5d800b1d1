//===- report/formats/read_json.h - a finding from its JSON -----*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of jsonOf: what is read and written again is the same line. Files
// come from anywhere, so nothing in a line is trusted to be of its type.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_FORMATS_READ_JSON_H
#define WARPSAN_REPORT_FORMATS_READ_JSON_H

#include "report/collection.h"

#include <string>
#include <string_view>
#include <variant>

namespace warpsan {

/// A line that says that a known finding came again.
struct AgainLine {
  std::string Id;
  std::string Fingerprint; ///< empty in files of older releases
  uint64_t Launch = 0;
  uint64_t Items = 0;
  uint64_t Pid = 0; ///< 0: not known
};

/// What is wrong with a line: "'launch.number' is not a whole number".
struct LineProblem {
  std::string What;
};

/// A CollectedFinding of `Processes` 0 is as a process reported it; otherwise
/// it was merged before.
using FindingsLine =
    std::variant<CollectedFinding, AgainLine, Summary, LineProblem>;

/// One line of a file, or a whole summary, by its `schema`.
FindingsLine readLine(std::string_view Text);

} // namespace warpsan

#endif // WARPSAN_REPORT_FORMATS_READ_JSON_H
