//===- options/options_page.cpp - writes docs/reference/options.md --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// warpsan_options_page FILE           writes the page
// warpsan_options_page --check FILE   fails if FILE is not what it would write
//
//===----------------------------------------------------------------------===//
#include "options/options.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

using namespace warpsan;

static std::string page() {
  std::string Out =
      "# Options\n\n"
      "<!-- Generated from options/options.def by `cmake --build build "
      "--target "
      "options_page`. -->\n\n"
      "Given to the command as `warpsan run --name=value -- program`, or to "
      "the "
      "layer alone in the\n"
      "environment as `WARPSAN_OPTIONS=name=value:name=value`. A `:` or `\\` "
      "inside a value is written\n"
      "`\\:` or `\\\\` there. The command's options come after the "
      "environment's; the last value wins.\n\n"
      "## Common options\n";
  const std::string Header =
      "| option | type | default | meaning |\n|---|---|---|---|\n";
  Out += Header;
  bool Advanced = false;
  for (const OptionInfo &Info : allOptions()) {
    if (Info.Advanced && !std::exchange(Advanced, true))
      Out += "\n## Advanced options\n" + Header;
    std::string Default =
        *Info.Default ? "`" + std::string(Info.Default) + "`" : "empty";
    Out += "| `" + std::string(Info.Name) + "` | " + Info.Type + " | " +
           Default + " | " + Info.Help + " |\n";
  }
  return Out;
}

int main(int Argc, char **Argv) {
  bool Check = Argc == 3 && std::string_view(Argv[1]) == "--check";
  if (Argc != 2 && !Check) {
    std::fputs("usage: warpsan_options_page [--check] FILE\n", stderr);
    return 64;
  }
  const char *Path = Argv[Argc - 1];
  std::string Wanted = page();
  if (!Check) {
    std::ofstream File(Path, std::ios::binary);
    if (!(File << Wanted).flush()) {
      std::fprintf(stderr, "cannot write '%s'\n", Path);
      return 1;
    }
    return 0;
  }
  std::ifstream File(Path, std::ios::binary);
  std::string Found{std::istreambuf_iterator<char>(File), {}};
  if (Found == Wanted)
    return 0;
  std::fprintf(stderr,
               "'%s' is not what options/options.def says: run\n"
               "  cmake --build build --target options_page\n",
               Path);
  return 1;
}
