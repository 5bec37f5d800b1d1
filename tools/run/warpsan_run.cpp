//===- tools/run/warpsan_run.cpp - warpsan run ----------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/suppressions.h"
#include "options/options.h"
#include "status/status.h"
#include "text/format.h"
#include "tools/process/child.h"
#include "tools/process/environment.h"
#include "tools/process/vendor_files.h"
#include "tools/report/output_file.h"
#include "tools/report/report_format.h"
#include "tools/run/progress.h"
#include "tools/warpsan.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

namespace {

void say(const std::string &Sentence) {
  std::fprintf(stderr, "warpsan: %s\n", Sentence.c_str());
}

void printHelp() {
  std::fputs(
      "usage: warpsan run [--name=value...] [--] program [args...]\n\n"
      "Runs the program with its OpenCL kernels instrumented, reports every "
      "bad access,\nand says at the end what was covered. If there were "
      "errors, the exit code is\nexit_code, 66; with require_coverage and a "
      "gap in coverage exit_code_coverage, 67.\nElse it is the program's; if "
      "a signal ended it, the same signal\nends warpsan. 64: wrong options; "
      "125: "
      "WarpSan itself failed; 126, 127: the program\ncannot be started, does "
      "not exist.\n\n"
      "Options, as --name=value or --name value, also by\n"
      "WARPSAN_OPTIONS=name=value:name=value. A bool without a value is 1.\n"
      "--verbose is --verbosity=2.\n\n",
      stdout);
  bool Advanced = false;
  for (const OptionInfo &Info : allOptions()) {
    if (Info.Advanced && !std::exchange(Advanced, true))
      std::puts("\nAdvanced options:");
    std::printf("  --%s=%s\n", Info.Name, *Info.Default ? Info.Default : "...");
    // Folded at 72 columns.
    std::string_view Help = Info.Help;
    while (!Help.empty()) {
      size_t End = Help.size();
      if (End > 72) {
        End = Help.rfind(' ', 72);
        if (End == std::string_view::npos)
          End = Help.size();
      }
      std::printf("      %.*s\n", static_cast<int>(End), Help.data());
      Help.remove_prefix(End);
      if (!Help.empty())
        Help.remove_prefix(1);
    }
  }
}

/// The command line, understood.
struct Request {
  Options Opts;
  std::string OptionsText; ///< for WARPSAN_OPTIONS
  char *const *Program = nullptr;
  bool Help = false;
  bool Good = true;
};

/// The value of an option that is written `--name value`; moves \p At to it. A
/// bool may be written without: then it is 1. Returns what is wrong, or an
/// empty string.
std::string takesValue(std::string_view Name, std::span<char *const> Words,
                       size_t &At, std::string_view &Value) {
  const auto &All = allOptions();
  const auto Info = std::ranges::find(All, Name, &OptionInfo::Name);
  if (Info == All.end()) {
    Options Unused;
    return setOption(Unused, Name, "");
  }
  const std::string_view Next =
      At + 1 < Words.size() ? Words[At + 1] : std::string_view();
  constexpr std::string_view NoPrograms[] = {"true", "false", "yes",
                                             "no",   "on",    "off"};
  if (std::string_view(Info->Type) == "bool" && Next != "0" && Next != "1") {
    if (std::ranges::count(NoPrograms, Next))
      return "option '" + std::string(Name) + "' takes 0 or 1, not '" +
             std::string(Next) + "' (to run that program, write -- before it).";
    Value = "1";
    return {};
  }
  if (At + 1 == Words.size() || Next.starts_with("--"))
    return "option '" + std::string(Name) + "' has no value; write --" +
           std::string(Name) + "=VALUE.";
  Value = Next;
  ++At;
  return {};
}

Request understand(std::span<char *const> Words) {
  Request R;
  auto Complain = [&R](const std::string &Sentence) {
    say(Sentence);
    R.Good = false;
  };
  if (const char *Text = std::getenv("WARPSAN_OPTIONS")) {
    R.OptionsText = Text;
    for (const std::string &Problem : parseOptions(R.Opts, Text))
      Complain("in WARPSAN_OPTIONS: " + Problem);
  }
  size_t At = 0;
  for (; At < Words.size(); ++At) {
    std::string_view Word = Words[At];
    if (Word == "--") {
      ++At;
      break;
    }
    if (Word == "--help" || Word == "-h") {
      R.Help = true;
      return R;
    }
    if (!Word.starts_with("-"))
      break;
    if (!Word.starts_with("--")) {
      Complain("'" + std::string(Word) +
               "' is not an option of the form --name=value; `warpsan run "
               "--help` lists them.");
      continue;
    }
    const size_t Equals = Word.find('=');
    std::string_view Name = Word.substr(2, Equals - 2);
    std::string_view Value;
    if (Name == "verbose" && Equals != std::string_view::npos) {
      Complain("--verbose takes no value; write --verbosity=N.");
      continue;
    }
    if (Equals != std::string_view::npos) {
      Value = Word.substr(Equals + 1);
    } else if (Name == "verbose") {
      Name = "verbosity";
      Value = "2";
    } else if (const std::string Problem = takesValue(Name, Words, At, Value);
               !Problem.empty()) {
      Complain(Problem);
      continue;
    }
    std::string Problem = setOption(R.Opts, Name, Value);
    if (!Problem.empty())
      Complain(Problem);
    if (!R.OptionsText.empty())
      R.OptionsText += ':';
    R.OptionsText += formatOption(Name, Value);
  }
  if (std::string Conflict = conflictIn(R.Opts); !Conflict.empty())
    Complain(Conflict);
  if (R.Good && At == Words.size())
    Complain("no program is given; usage: warpsan run [--name=value...] -- "
             "program [args...]");
  R.Program = Words.data() + At;
  return R;
}

/// True, and said so, if a file that an option names could not be opened or
/// written.
bool failed(const OutputFile &File, const char *Option) {
  if (!File.problem().empty())
    say(std::string("cannot write ") + Option + " " + File.path() + ": " +
        File.problem() + ".");
  return !File.problem().empty();
}

/// The names in the option report.
std::vector<std::string> namesIn(std::string_view Report) {
  std::vector<std::string> Names;
  while (!Report.empty()) {
    Names.emplace_back(Report.substr(0, Report.find(',')));
    Report.remove_prefix(std::min(Report.size(), Names.back().size() + 1));
  }
  return Names;
}

/// The option report: files of the run's findings, each in the form that its
/// ending says.
class Reports {
public:
  /// Opens them. An exit code, and said why, if one is not possible; else 0.
  int open(std::string_view Names) {
    for (const std::string &Name : namesIn(Names)) {
      std::optional<ReportFormat> Format = formatOfFile(Name);
      if (!Format) {
        say("report: '" + Name + "' does not end in " + FileExtensions + ".");
        return ExitUsage;
      }
      Files.emplace_back(*Format, std::make_unique<OutputFile>(Name));
      if (failed(*Files.back().second, "report"))
        return ExitOwnFailure;
    }
    return 0;
  }
  bool wanted() const { return !Files.empty(); }
  /// False, and said so, if one could not be written.
  bool write(const Collection &All) {
    bool Good = true;
    for (auto &[Format, File] : Files) {
      File->write(reportAs(Format, All, TextStyle()));
      Good &= !failed(*File, "report");
    }
    return Good;
  }

private:
  std::vector<std::pair<ReportFormat, std::unique_ptr<OutputFile>>> Files;
};

/// The findings of the run's processes, in the order of their names.
void collectFindings(Collector &Into, const std::string &Directory) {
  std::vector<std::string> Paths;
  std::error_code Error;
  for (const auto &Entry :
       std::filesystem::directory_iterator(Directory, Error))
    if (Entry.path().extension() == ".findings")
      Paths.push_back(Entry.path().string());
  std::sort(Paths.begin(), Paths.end());
  for (const std::string &Path : Paths) {
    std::ifstream File(Path, std::ios::binary);
    Into.add(File, Path);
  }
  for (const std::string &Problem : Into.problems())
    say(Problem);
}

int complainAboutStart(const char *Program, int Error) {
  std::string Name = Program;
  struct stat Info;
  if (Error == ENOENT && Name.find('/') != std::string::npos &&
      stat(Program, &Info) == 0) {
    say("cannot start '" + Name +
        "': the interpreter or loader it names does not exist.");
    return ExitNotExecutable;
  }
  if (Error == ENOENT) {
    say("there is no program '" + Name + "'" +
        (Name.find('/') == std::string::npos ? " in PATH." : "."));
    return ExitNotFound;
  }
  say("cannot start '" + Name + "': " + std::strerror(Error) + ".");
  return ExitNotExecutable;
}

/// The text for a terminal: our name stands out in \p Color.
std::string colored(const std::string &Text, const char *Color) {
  const std::string_view Name = "WarpSan:";
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    size_t End = Text.find('\n', At);
    End = End == std::string::npos ? Text.size() : End + 1;
    std::string_view Line(Text.data() + At, End - At);
    if (Line.starts_with(Name)) {
      Out += Color;
      Out += Name;
      Out += "\033[0m";
      Line.remove_prefix(Name.size());
    }
    Out += Line;
    At = End;
  }
  return Out;
}

/// Files that have the errors in full.
std::vector<std::string> reportFiles(const Summary &Sum, const Options &Opts) {
  std::vector<std::string> Files;
  if (!Sum[Counter::files_failed])
    for (const std::string &File : {Opts.findings_file, Opts.log_path})
      if (!File.empty())
        Files.push_back(File);
  for (const std::string &Name : namesIn(Opts.report))
    Files.push_back(withProcessId(Name));
  return Files;
}

void printSummary(const Summary &Sum, const Options &Opts) {
  if (Opts.verbosity < 1)
    return;
  std::string Text = summaryText(Sum, Opts.verbosity, reportFiles(Sum, Opts));
  if (styleFor(STDERR_FILENO).Color)
    Text = colored(Text, hasErrors(Sum)                 ? "\033[1;31m"
                         : coverageProblem(Sum).empty() ? "\033[1;32m"
                                                        : "\033[1;33m");
  std::fputs(Text.c_str(), stderr);
}

} // namespace

int warpsan::runCommand(std::span<char *const> Words) {
  guardStandardDescriptors();
  Request R = understand(Words);
  if (R.Help) {
    printHelp();
    return 0;
  }
  if (!R.Good)
    return ExitUsage;

  const Suppressions Known = readSuppressions(R.Opts.suppressions);
  for (const std::string &Problem : Known.Problems)
    say(Problem);
  if (!Known.Problems.empty())
    return ExitUsage;
  // The program's processes may work elsewhere.
  if (!R.Opts.suppressions.empty())
    R.OptionsText +=
        ":" +
        formatOption("suppressions",
                     std::filesystem::absolute(R.Opts.suppressions).string());

  FoundFile Layer = findLayer();
  if (!Layer.Problem.empty()) {
    say(Layer.Problem);
    return ExitOwnFailure;
  }
  OutputFile File(R.Opts.summary_file);
  if (failed(File, "summary_file"))
    return ExitOwnFailure;
  Reports Reported;
  if (int Code = Reported.open(R.Opts.report))
    return Code;

  Ending End;
  Summary Sum;
  Collector Found;
  {
    RunDirectory Directory;
    if (!Directory.problem().empty()) {
      say(Directory.problem());
      return ExitOwnFailure;
    }
    enterLayerEnvironment(Layer.Path, R.OptionsText, Directory.path());
    Progress Watching(Directory.path());
    End = runInForeground(
        R.Program,
        R.Opts.verbosity > 0 && Progress::isWanted() ? &Watching : nullptr);
    if (End.StartError)
      return complainAboutStart(*R.Program, *End.StartError);
    if (const size_t Left = processesOf(Directory.path()))
      say(count(Left, "process", "processes") + " of the program " +
          (Left == 1 ? "is" : "are") +
          " still running; the summary does not include what " +
          (Left == 1 ? "it does" : "they do") + " from now on.");
    std::vector<std::string> Problems;
    Sum = readRunDir(Directory.path(), Problems);
    for (const std::string &Problem : Problems)
      say(Problem);
    if (Reported.wanted())
      collectFindings(Found, Directory.path());
  }
  std::vector<Summary::SuppressionLine> Lines;
  for (const Suppression &Each : Known.All)
    Lines.push_back({Each.Line, Each.Text});
  nameSuppressions(Sum, R.Opts.suppressions, std::move(Lines));
  Sum.ExitCode = End.ExitCode;
  Sum.Signal = End.Signal;
  Sum.NoDriver = !Sum.Processes && vendorFiles().empty();
  Sum.DriversIn = vendorVariable();

  printSummary(Sum, R.Opts);
  File.write(summaryJson(Sum));
  bool FileFailed =
      failed(File, "summary_file") || Sum[Counter::files_failed]; // said so
  Found.add(Sum);
  FileFailed |= !Reported.write(Found.finish());
  if (Sum[Counter::findings_refuted])
    return ExitOwnFailure;
  if (hasErrors(Sum) && R.Opts.exit_code)
    return static_cast<int>(R.Opts.exit_code);
  if (End.Signal)
    dieOfSignal(*End.Signal);
  if (*End.ExitCode != 0)
    return *End.ExitCode;
  std::string Uncovered = coverageProblem(Sum);
  if (R.Opts.require_coverage && !Uncovered.empty()) {
    say("require_coverage: " + Uncovered + "; exit code " +
        std::to_string(R.Opts.exit_code_coverage) + ".");
    return static_cast<int>(R.Opts.exit_code_coverage);
  }
  return FileFailed ? ExitOwnFailure : 0;
}
