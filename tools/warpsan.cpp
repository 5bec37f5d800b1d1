//===- tools/warpsan.cpp - the command ------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/warpsan.h"

#include <cstdio>
#include <string_view>

using namespace warpsan;

namespace {

struct Subcommand {
  std::string_view Name;
  int (*Run)(std::span<char *const>);
  const char *Help;
};

constexpr Subcommand Subcommands[] = {
    {"run", runCommand, "run a program with its OpenCL kernels instrumented"},
    {"doctor", doctorCommand,
     "test this machine: loader, drivers, compiler, cache"},
    {"explain", explainCommand,
     "say which accesses of a kernel are checked, which proven, and why"},
    {"report", reportCommand,
     "one report of many findings: text, JSON, SARIF, JUnit or HTML"},
};

void printHelp(FILE *To) {
  std::fputs("WarpSan finds memory errors in GPU kernels.\n\n"
             "usage: warpsan run [--name=value...] [--] program [args...]\n"
             "       warpsan doctor [--verbose]\n"
             "       warpsan explain FILE... [options] [-- BUILD OPTIONS]\n"
             "       warpsan report FILE... [--format FORMAT] [--output FILE]\n"
             "       warpsan COMMAND --help\n"
             "       warpsan --version\n\n",
             To);
  for (const Subcommand &S : Subcommands)
    std::fprintf(To, "  %-8.*s %s\n", static_cast<int>(S.Name.size()),
                 S.Name.data(), S.Help);
  std::fputs("\n`warpsan run --help` lists the options.\n", To);
}

} // namespace

int main(int Argc, char **Argv) {
  std::span<char *const> Words(Argv, static_cast<size_t>(Argc));
  if (Words.size() < 2) {
    printHelp(stderr);
    return ExitUsage;
  }
  std::string_view First = Words[1];
  const bool IsHelp = First == "help";
  if (First == "--help" || First == "-h" || (IsHelp && Words.size() == 2)) {
    printHelp(stdout);
    return 0;
  }
  if (First == "--version") {
    std::puts("warpsan " WARPSAN_VERSION);
    return 0;
  }
  char Help[] = "--help";
  char *const AsksForHelp[] = {Help};
  const char *Wanted = Words[IsHelp ? 2 : 1];
  for (const Subcommand &S : Subcommands)
    if (Wanted == S.Name)
      return S.Run(IsHelp ? std::span<char *const>(AsksForHelp)
                          : Words.subspan(2));
  std::fprintf(
      stderr, "warpsan: there is no command '%s'; `warpsan --help` lists them.",
      Wanted);
  if (*Wanted != '-')
    std::fprintf(stderr, " To run a program: warpsan run -- %s ...", Wanted);
  std::fputs("\n", stderr);
  return ExitUsage;
}
