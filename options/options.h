//===- options/options.h - the settings of a run --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_OPTIONS_OPTIONS_H
#define WARPSAN_OPTIONS_OPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

namespace optiontypes {
using Bool = bool;
using Int = int64_t;
using String = std::string;
} // namespace optiontypes

/// One member for each line of options.def.
struct Options {
#define OPTION(type, name, value, help) WARPSAN_OPTION_##type name = value;
#define WARPSAN_OPTION_bool optiontypes::Bool
#define WARPSAN_OPTION_int optiontypes::Int
#define WARPSAN_OPTION_string optiontypes::String
#include "options/options.def"
#undef WARPSAN_OPTION_bool
#undef WARPSAN_OPTION_int
#undef WARPSAN_OPTION_string
#undef OPTION
};

/// A line of options.def, for help and docs.
struct OptionInfo {
  const char *Type;
  const char *Name;
  const char *Default; ///< as it would be typed
  const char *Help;
  bool Advanced; ///< listed last
  /// The words that it takes; empty if it is not limited to a few.
  std::vector<std::string> Choices;
};

const std::vector<OptionInfo> &allOptions();

/// Sets one option. Returns an empty string, or what is wrong in one sentence
/// that names the option, the value and what it takes.
std::string setOption(Options &Opts, std::string_view Name,
                      std::string_view Value);

/// Parses name=value pairs joined with ':'. A ':' inside a value is written
/// "\:". Every pair is tried; what is wrong is returned, a sentence each.
std::vector<std::string> parseOptions(Options &Opts, std::string_view Text);

/// Which option has no effect beside which other one, in one sentence; empty if
/// each has.
std::string conflictIn(const Options &Opts);

/// The inverse of parseOptions, for one pair: escapes ':' and '\' in \p Value.
std::string formatOption(std::string_view Name, std::string_view Value);

/// \p Path with this process's id in place of each %p. A forked child has a
/// number of its own.
std::string withProcessId(std::string Path);

/// Where compiled twins are kept under \p Opts: an absolute path, or empty if
/// there is to be no cache. Nothing is created.
std::string cachePath(const Options &Opts);

} // namespace warpsan

#endif // WARPSAN_OPTIONS_OPTIONS_H
