//===- tools/report/warpsan_report.cpp - warpsan report -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "text/format.h"
#include "tools/report/output_file.h"
#include "tools/report/report_format.h"
#include "tools/warpsan.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

namespace {

void say(const std::string &Sentence) {
  std::fprintf(stderr, "warpsan: %s\n", Sentence.c_str());
}

const char *const Usage =
    "usage: warpsan report [--format text|json|sarif|junit|html] "
    "[--output FILE] FILE...\n";

const char *const Help =
    "\nReads findings (findings_file) and summaries (summary_file) of one run "
    "or of many,\nmerges what is equal, and writes one report. `-` is standard "
    "input.\n\n"
    "  --format FORMAT  text: as warpsan run prints it; json: lines, to be "
    "read "
    "again;\n"
    "                   sarif: SARIF 2.1.0, for code scanning; junit: XML, for "
    "CI;\n"
    "                   html: one page. By default the file extension of "
    "--output\n"
    "                   selects it (.txt .json .jsonl .sarif .xml .html); "
    "text\n"
    "                   without an extension\n"
    "  --output FILE    instead of standard output\n"
    "  --verbose        say how many files were read\n\n"
    "The exit code is 0 if the report could be written, with errors in it or "
    "without.\n65: a file is missing or has lines that cannot be read; the "
    "rest is reported.\n64: wrong options; 125: the report cannot be "
    "written.\n";

/// The command line, understood.
struct Request {
  std::vector<std::string> Files;
  std::string Output;
  std::optional<ReportFormat> Format;
  bool Help = false, Verbose = false;
  std::string Problem;
};

/// The value of `--name value` or `--name=value`; moves \p At on.
std::optional<std::string> valueOf(std::span<char *const> Words, size_t &At,
                                   std::string_view Name) {
  const std::string_view Word = Words[At];
  if (Word.starts_with(Name) && Word.substr(Name.size()).starts_with("="))
    return std::string(Word.substr(Name.size() + 1));
  if (Word == Name && At + 1 < Words.size())
    return std::string(Words[++At]);
  return std::nullopt;
}

Request understand(std::span<char *const> Words) {
  Request R;
  bool OptionsEnd = false;
  for (size_t At = 0; At < Words.size() && R.Problem.empty(); ++At) {
    const std::string Word = Words[At];
    if (OptionsEnd || Word == "-" || !Word.starts_with("-")) {
      R.Files.push_back(Word);
    } else if (Word == "--") {
      OptionsEnd = true;
    } else if (Word == "--help" || Word == "-h") {
      R.Help = true;
      return R;
    } else if (Word == "--verbose") {
      R.Verbose = true;
    } else if (auto Format = valueOf(Words, At, "--format")) {
      R.Format = formatNamed(*Format);
      if (!R.Format)
        R.Problem = "there is no format " + warpsan::quoted(*Format) +
                    ": text, json, sarif, junit or html.";
    } else if (auto Output = valueOf(Words, At, "--output")) {
      R.Output = *Output;
    } else if (Word == "--format" || Word == "--output") {
      R.Problem = "option '" + Word + "' has no value; write " + Word +
                  (Word == "--format" ? "=FORMAT." : "=FILE.");
    } else {
      R.Problem =
          warpsan::quoted(Word) + " is not an option of warpsan report.";
    }
  }
  if (R.Problem.empty() && R.Files.empty())
    R.Problem = "no file is given.";
  if (R.Format)
    return R;
  R.Format = formatOfFile(R.Output);
  if (!R.Format && R.Problem.empty() &&
      std::filesystem::path(R.Output).has_extension())
    R.Problem = warpsan::quoted(R.Output) + " does not end in " +
                FileExtensions + "; give its --format.";
  if (!R.Format)
    R.Format = ReportFormat::Text;
  return R;
}

/// Reads files that exist, each once.
class Inputs {
public:
  explicit Inputs(Collector &To) : Into(To) {}

  void add(const std::string &Path) {
    if (Path == "-") {
      Into.add(std::cin, "standard input");
      ++Read;
      return;
    }
    struct stat Info;
    if (stat(Path.c_str(), &Info) != 0)
      return complain(Path, std::strerror(errno));
    if (S_ISDIR(Info.st_mode))
      return complain(Path, "it is a directory");
    if (S_ISREG(Info.st_mode) &&
        !Known.emplace(Info.st_dev, Info.st_ino).second)
      return;
    errno = 0;
    std::ifstream File(Path, std::ios::binary);
    if (!File)
      return complain(Path, std::strerror(errno));
    Into.add(File, Path);
    ++Read;
  }
  /// How many files could be opened.
  size_t read() const { return Read; }
  bool failed() const { return Failed || !Into.problems().empty(); }

private:
  void complain(const std::string &Path, const char *Why) {
    say("cannot read " + printable(Path) + ": " + Why + ".");
    Failed = true;
  }

  Collector &Into;
  std::set<std::pair<dev_t, ino_t>> Known;
  size_t Read = 0;
  bool Failed = false;
};

/// Returns false, and says why, if it cannot be written.
bool put(const std::string &Text, const std::string &Output) {
  if (Output.empty()) {
    if (std::fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() &&
        std::fflush(stdout) == 0)
      return true;
    say(std::string("cannot write the report: ") + std::strerror(errno) + ".");
    return false;
  }
  OutputFile File(Output);
  File.write(Text);
  if (!File.problem().empty())
    say("cannot write " + printable(File.path()) + ": " + File.problem() + ".");
  return File.problem().empty();
}

} // namespace

int warpsan::reportCommand(std::span<char *const> Words) {
  const Request R = understand(Words);
  if (R.Help) {
    std::fputs(Usage, stdout);
    std::fputs(Help, stdout);
    return 0;
  }
  if (!R.Problem.empty()) {
    say(R.Problem);
    std::fputs(Usage, stderr);
    return ExitUsage;
  }
  Collector All;
  Inputs Files(All);
  for (const std::string &Path : R.Files)
    Files.add(Path);
  for (const std::string &Problem : All.problems())
    say(Problem);
  if (!Files.read())
    return ExitBadInput; // there is nothing that a report could be of
  if (R.Verbose)
    say("read " + std::to_string(Files.read()) +
        (Files.read() == 1 ? " file." : " files."));
  const Collection Result = All.finish();
  if (Files.failed() && Result.isEmpty())
    return ExitBadInput; // "no errors" would not be known
  const TextStyle Style =
      R.Output.empty() ? styleFor(STDOUT_FILENO) : TextStyle();
  if (!put(reportAs(*R.Format, Result, Style), R.Output))
    return ExitOwnFailure;
  return Files.failed() ? ExitBadInput : 0;
}
