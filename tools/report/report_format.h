//===- tools/report/report_format.h - the forms of a report ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_REPORT_REPORT_FORMAT_H
#define WARPSAN_TOOLS_REPORT_REPORT_FORMAT_H

#include "report/collection.h"

#include <optional>
#include <string>
#include <string_view>

namespace warpsan {

enum class ReportFormat { Text, Json, Sarif, JUnit, Html };

/// By its name: "text", "json", "sarif", "junit", "html".
std::optional<ReportFormat> formatNamed(std::string_view Name);

/// The file extensions that formatOfFile() knows, for messages.
inline constexpr const char *FileExtensions =
    ".txt, .json, .jsonl, .sarif, .xml or .html";

/// By a file's ending: .txt, .json, .jsonl, .sarif, .xml, .html.
std::optional<ReportFormat> formatOfFile(std::string_view Path);

/// \p Style is for text alone. Source files are looked for from the working
/// directory.
std::string reportAs(ReportFormat Format, const Collection &All,
                     const TextStyle &Style);

} // namespace warpsan

#endif // WARPSAN_TOOLS_REPORT_REPORT_FORMAT_H
