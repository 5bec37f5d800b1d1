//===- tools/report/report_format.cpp - the forms of a report -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/report/report_format.h"

#include <filesystem>
#include <system_error>

using namespace warpsan;

namespace {

struct Known {
  std::string_view Word;
  ReportFormat Format;
};

constexpr Known Names[] = {
    {"text", ReportFormat::Text},   {"json", ReportFormat::Json},
    {"sarif", ReportFormat::Sarif}, {"junit", ReportFormat::JUnit},
    {"html", ReportFormat::Html},
};

constexpr Known Endings[] = {
    {".txt", ReportFormat::Text},         {".json", ReportFormat::Json},
    {".jsonl", ReportFormat::Json},       {".sarif", ReportFormat::Sarif},
    {".sarif.json", ReportFormat::Sarif}, {".xml", ReportFormat::JUnit},
    {".html", ReportFormat::Html},        {".htm", ReportFormat::Html},
};

} // namespace

std::optional<ReportFormat> warpsan::formatNamed(std::string_view Name) {
  for (const Known &Each : Names)
    if (Each.Word == Name)
      return Each.Format;
  return std::nullopt;
}

std::optional<ReportFormat> warpsan::formatOfFile(std::string_view Path) {
  std::optional<ReportFormat> Found;
  for (const Known &Each : Endings) // the last that fits: .sarif.json
    if (Path.ends_with(Each.Word))
      Found = Each.Format;
  return Found;
}

std::string warpsan::reportAs(ReportFormat Format, const Collection &All,
                              const TextStyle &Style) {
  std::error_code Error;
  switch (Format) {
  case ReportFormat::Text:
    return textOf(All, Style);
  case ReportFormat::Json:
    return jsonOf(All);
  case ReportFormat::Sarif:
    return sarifOf(All, std::filesystem::current_path(Error));
  case ReportFormat::JUnit:
    return junitOf(All);
  case ReportFormat::Html:
    return htmlOf(All);
  }
  return {};
}
