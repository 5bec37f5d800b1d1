//===- package/fill.cpp - puts the options into a template ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// warpsan_fill TEMPLATE FILE
//
// A line of TEMPLATE that is @OPTIONS_MAN@, @OPTIONS_BASH@, @OPTIONS_ZSH@ or
// @OPTIONS_FISH@ becomes every option of options.def in that language;
// @VERSION@ becomes the version.
//
//===----------------------------------------------------------------------===//
#include "options/options.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// What an option takes
//===----------------------------------------------------------------------===//

static bool takesDirectory(const OptionInfo &Info) {
  return std::string_view(Info.Name).ends_with("_dir");
}

static bool takesFile(const OptionInfo &Info) {
  std::string_view Help = Info.Help;
  return std::string_view(Info.Name).ends_with("_file") ||
         Help.starts_with("path of") || Help.starts_with("file of") ||
         Help.find("this file") != Help.npos;
}

//===----------------------------------------------------------------------===//
// Words of each language
//===----------------------------------------------------------------------===//

static std::string replaced(std::string Text, std::string_view From,
                            std::string_view To) {
  for (size_t At = Text.find(From); At != std::string::npos;
       At = Text.find(From, At + To.size()))
    Text.replace(At, From.size(), To);
  return Text;
}

static std::string joined(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &Word : Words)
    Out += (Out.empty() ? "" : " ") + Word;
  return Out;
}

static std::string quoted(const std::string &Text) {
  return "'" + replaced(Text, "'", "'\\''") + "'";
}

/// The first part of a help text: a line of a menu.
static std::string shortHelp(const OptionInfo &Info) {
  std::string_view Help = Info.Help;
  size_t End = std::min({Help.find(": "), Help.find("; "), Help.find(" (")});
  return std::string(Help.substr(0, End));
}

static std::string roff(const std::string &Text) {
  return replaced(replaced(Text, "\\", "\\e"), "-", "\\-");
}

static std::string manOptions() {
  std::string Out;
  for (const OptionInfo &Info : allOptions()) {
    std::string Default = *Info.Default ? Info.Default : "empty";
    Out += ".TP\n.BI \\-\\-" + std::string(Info.Name) + "= " + Info.Type +
           "\n" + "\\&" + roff(Info.Help) + ".\nDefault: " + roff(Default) +
           ".\n";
  }
  return Out;
}

/// Rows of an associative array: the values of each option. "@file" and
/// "@folder" for names of files; nothing for what is not known.
static std::string bashOptions() {
  std::string Out;
  for (const OptionInfo &Info : allOptions()) {
    std::string Values = takesDirectory(Info) ? "@folder"
                         : takesFile(Info)    ? "@file"
                                              : joined(Info.Choices);
    Out += "  [" + std::string(Info.Name) + "]=" + quoted(Values) + "\n";
  }
  return Out;
}

/// Arguments of _arguments: '--name=[help]:message:action'.
static std::string zshOptions() {
  std::string Out;
  for (const OptionInfo &Info : allOptions()) {
    std::string Action = takesDirectory(Info) ? "_files -/"
                         : takesFile(Info)    ? "_files"
                                              : " ";
    if (std::string Values = joined(Info.Choices); !Values.empty())
      Action = "(" + Values + ")";
    std::string Help = shortHelp(Info);
    for (const char *Special : {"\\", "[", "]", ":"})
      Help = replaced(Help, Special, std::string("\\") + Special);
    Out += "    " +
           quoted("--" + std::string(Info.Name) + "=[" + Help +
                  "]:" + Info.Type + ":" + Action) +
           "\n";
  }
  return Out;
}

/// Names with their '=', then the values of those that have some: fish would
/// take `--name value` for right. It offers files behind a '=' by itself.
static std::string fishOptions() {
  std::string Names, Values;
  for (const OptionInfo &Info : allOptions()) {
    std::string Start = "--" + std::string(Info.Name) + "=";
    std::string Help = replaced(shortHelp(Info), "\\", "\\\\");
    Names += "complete -c warpsan -n __warpsan_in_run -a " + Start + " -d '" +
             replaced(Help, "'", "\\'") + "'\n";
    std::string Whole;
    for (const std::string &Value : Info.Choices)
      Whole += (Whole.empty() ? "" : " ") + Start + Value;
    if (takesDirectory(Info))
      Whole = Start + "(__fish_complete_directories (string replace -- " +
              Start + " \"\" (commandline -ct)))";
    if (!Whole.empty())
      Values += "complete -c warpsan -n '__warpsan_at " + Start + "' -f -a '" +
                Whole + "'\n";
  }
  return Names + Values;
}

int main(int Argc, char **Argv) {
  if (Argc != 3) {
    std::fputs("usage: warpsan_fill TEMPLATE FILE\n", stderr);
    return 64;
  }
  std::ifstream Template(Argv[1], std::ios::binary);
  std::string Text{std::istreambuf_iterator<char>(Template), {}};
  Text = replaced(Text, "@OPTIONS_MAN@\n", manOptions());
  Text = replaced(Text, "@OPTIONS_BASH@\n", bashOptions());
  Text = replaced(Text, "@OPTIONS_ZSH@\n", zshOptions());
  Text = replaced(Text, "@OPTIONS_FISH@\n", fishOptions());
  Text = replaced(Text, "@VERSION@", WARPSAN_VERSION);
  std::ofstream File(Argv[2], std::ios::binary);
  if (!Template || !(File << Text).flush()) {
    std::fprintf(stderr, "cannot make '%s' of '%s'\n", Argv[2], Argv[1]);
    return 1;
  }
  return 0;
}
