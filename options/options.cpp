//===- options/options.cpp - the settings of a run ------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "options/options.h"

#include "text/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <unistd.h>

namespace warpsan {

namespace {

//===----------------------------------------------------------------------===//
// Values as text, one function a type
//===----------------------------------------------------------------------===//

std::string toText(bool Value) { return Value ? "1" : "0"; }
std::string toText(int64_t Value) { return std::to_string(Value); }
std::string toText(const std::string &Value) { return Value; }

/// Each returns what the type takes if \p Text is not that, else nothing.
const char *fromText(std::string_view Text, bool &Value) {
  if (Text != "0" && Text != "1")
    return "0 or 1";
  Value = Text == "1";
  return nullptr;
}

const char *fromText(std::string_view Text, int64_t &Value) {
  int64_t Number = 0;
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  if (Error != std::errc() || End != Text.data() + Text.size())
    return "a whole number";
  Value = Number;
  return nullptr;
}

const char *fromText(std::string_view Text, std::string &Value) {
  Value = Text;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What an option takes beyond its type
//===----------------------------------------------------------------------===//

struct Limit {
  std::string_view Name;
  int64_t Least;
  int64_t Most;
  const char *Takes;
};

/// Limits keep later arithmetic (MiB to bytes, seconds to nanoseconds) from
/// overflowing, and exit codes within what a parent process can see.
constexpr int64_t MostMiB = int64_t(1) << 40;
constexpr Limit Limits[] = {
    {"sample", 1, 1000000000, "a whole number, 1 or more"},
    {"exit_code", 0, 255, "a whole number from 0 to 255"},
    {"max_findings", 0, 1000000, "a whole number, 0 or more"},
    {"exit_code_coverage", 1, 255, "a whole number from 1 to 255"},
    {"cache_mb", 0, MostMiB, "a whole number of MiB, 0 or more"},
    {"specialize", 0, 1000000, "a whole number of launches, 0 or more"},
    {"compile_seconds", 0, 1000000, "a whole number of seconds, 0 or more"},
    {"compile_mb", 0, MostMiB, "a whole number of MiB, 0 or more"},
    {"verbosity", 0, 2, "0, 1 or 2"},
    {"quarantine_size_mb", 0, MostMiB, "a whole number of MiB, 0 or more"},
    {"quarantine_count", 0, 1000000000, "a whole number, 0 or more"},
};

const char *outsideLimits(std::string_view Name, int64_t Value) {
  for (const Limit &L : Limits)
    if (L.Name == Name && (Value < L.Least || Value > L.Most))
      return L.Takes;
  return nullptr;
}

/// What an option takes that is one of some words.
struct Choice {
  std::string_view Name;
  /// The rest: empty, which is none. Schemes are the most.
  std::array<std::string_view, 2
#define SCHEME(...) +1
#include "schemes/schemes.def"
             >
      Words;
  const char *Takes;
};
constexpr Choice Choices[] = {
    {"launch", {"twin", "native"}, "twin or native"},
    {"checks", {"auto", "all", "audit", "none"}, "auto, all, audit or none"},
    {"races", {"off", "on"}, "off or on"},
    {"scheme",
     {
#define SCHEME(Word, ...) Word,
#include "schemes/schemes.def"
         "canaries", "warpsan"},
#define SCHEME(Word, ...) Word ", "
#include "schemes/schemes.def"
     "canaries or warpsan"},
    {"canaries", {"on_demand", "all", "none"}, "on_demand, all or none"},
    {"on_error", {"continue", "halt", "trap"}, "continue, halt or trap"},
};

const char *outsideLimits(std::string_view Name, const std::string &Value) {
  for (const Choice &C : Choices)
    if (C.Name == Name &&
        (Value.empty() || !std::ranges::count(C.Words, Value)))
      return C.Takes;
  if ((Name == "kernels" || Name == "skip_kernels") && !Value.empty() &&
      Value.find_first_not_of(',') == std::string::npos)
    return "patterns, joined with ','";
  return nullptr;
}

const char *outsideLimits(std::string_view, bool) { return nullptr; }

/// More numbers than this are a range, not choices.
constexpr int64_t MostChoices = 8;

std::vector<std::string> choicesOf(std::string_view Name,
                                   std::string_view Type) {
  if (Type == "bool")
    return {"0", "1"};
  std::vector<std::string> Words;
  for (const Limit &L : Limits)
    if (L.Name == Name && L.Most - L.Least < MostChoices)
      for (int64_t Value = L.Least; Value <= L.Most; ++Value)
        Words.push_back(toText(Value));
  for (const Choice &C : Choices)
    if (C.Name == Name)
      for (std::string_view Word : C.Words)
        if (!Word.empty())
          Words.emplace_back(Word);
  return Words;
}

/// Sets \p Member only if \p Text is a value the option takes.
template <typename T>
const char *setMember(T &Member, std::string_view Name, std::string_view Text) {
  T Value{};
  if (const char *Takes = fromText(Text, Value))
    return Takes;
  if (const char *Takes = outsideLimits(Name, Value))
    return Takes;
  Member = std::move(Value);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Names that are nearly right
//===----------------------------------------------------------------------===//

/// Letters to insert, delete or replace to make \p B of \p A.
size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<size_t> Row(B.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 0; I < A.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I + 1;
    for (size_t J = 0; J < B.size(); ++J) {
      size_t Replaced = Diagonal + (A[I] != B[J]);
      Diagonal = Row[J + 1];
      Row[J + 1] = std::min({Replaced, Row[J] + 1, Row[J + 1] + 1});
    }
  }
  return Row[B.size()];
}

std::string unknownOption(std::string_view Name) {
  std::string Text = "there is no option " + quoted(Name);
  // Short names only: the distance is quadratic, and the text may be anything.
  size_t Best = 3;
  std::string_view Nearest;
  for (const OptionInfo &Info : allOptions()) {
    if (Name.size() > 64)
      break;
    size_t Distance = editDistance(Name, Info.Name);
    if (Distance < Best) {
      Best = Distance;
      Nearest = Info.Name;
    }
  }
  if (!Nearest.empty())
    return Text + "; did you mean '" + std::string(Nearest) + "'?";
  return Text + "; `warpsan run --help` lists them all.";
}

} // namespace

const std::vector<OptionInfo> &allOptions() {
  static const std::vector<OptionInfo> All = [] {
    static const Options Defaults;
    // The texts of the defaults, kept for the const char * in OptionInfo.
    static const std::vector<std::string> Texts = {
#define OPTION(type, name, value, help) toText(Defaults.name),
#include "options/options.def"
#undef OPTION
    };
    std::vector<OptionInfo> Infos = {
#define OPTION(type, name, value, help)                                        \
  {#type, #name, nullptr, help, false, choicesOf(#name, #type)},
#define ADVANCED_OPTION(type, name, value, help)                               \
  {#type, #name, nullptr, help, true, choicesOf(#name, #type)},
#include "options/options.def"
#undef OPTION
    };
    for (size_t I = 0; I < Infos.size(); ++I)
      Infos[I].Default = Texts[I].c_str();
    return Infos;
  }();
  return All;
}

std::string setOption(Options &Opts, std::string_view Name,
                      std::string_view Value) {
  const char *Takes = nullptr;
#define OPTION(type, name, value, help)                                        \
  if (Name == #name) {                                                         \
    Takes = setMember(Opts.name, Name, Value);                                 \
    if (!Takes)                                                                \
      return {};                                                               \
  }
#include "options/options.def"
#undef OPTION
  if (!Takes)
    return unknownOption(Name);
  return "option " + quoted(Name) + " takes " + Takes + ", not " +
         quoted(Value) + ".";
}

std::vector<std::string> parseOptions(Options &Opts, std::string_view Text) {
  std::vector<std::string> Problems;
  std::string Pair;
  auto Finish = [&] {
    if (Pair.empty())
      return;
    size_t Equals = Pair.find('=');
    std::string Problem =
        Equals == std::string::npos
            ? "option " + warpsan::quoted(Pair) + " has no value; write " +
                  printable(Pair) + "=VALUE."
            : setOption(Opts, std::string_view(Pair).substr(0, Equals),
                        std::string_view(Pair).substr(Equals + 1));
    if (!Problem.empty())
      Problems.push_back(std::move(Problem));
    Pair.clear();
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] == ':') {
      Finish();
      continue;
    }
    if (Text[I] == '\\') {
      // Refused rather than taken as it is: whoever appends ":name=value" to
      // this text would change its meaning.
      if (I + 1 == Text.size()) {
        Problems.push_back("the options " + quoted(Text) +
                           " end in a lone backslash; write \\\\ for one.");
        return Problems;
      }
      if (Text[I + 1] == ':' || Text[I + 1] == '\\')
        ++I;
    }
    Pair.push_back(Text[I]);
  }
  Finish();
  return Problems;
}

std::string conflictIn(const Options &Opts) {
  if (Opts.races != "on")
    return {};
  std::string Other;
  if (Opts.scheme != "warpsan")
    Other = "scheme=" + Opts.scheme;
  else if (Opts.checks == "none" && !Opts.untrusted_kernels) // that means all
    Other = "checks=none";
  return Other.empty() ? Other
                       : "option 'races' has no effect with " + Other +
                             "; omit one of the two.";
}

std::string formatOption(std::string_view Name, std::string_view Value) {
  std::string Out(Name);
  Out.push_back('=');
  for (char C : Value) {
    if (C == ':' || C == '\\')
      Out.push_back('\\');
    Out.push_back(C);
  }
  return Out;
}

std::string withProcessId(std::string Path) {
  const std::string Pid = std::to_string(getpid());
  for (size_t At = 0; (At = Path.find("%p", At)) != std::string::npos;
       At += Pid.size())
    Path.replace(At, 2, Pid);
  return Path;
}

std::string cachePath(const Options &Opts) {
  if (Opts.cache_dir == "off")
    return {};
  std::filesystem::path Directory;
  // The XDG rules: a variable that is not an absolute path counts as unset.
  if (!Opts.cache_dir.empty())
    Directory = Opts.cache_dir;
  else if (const char *Xdg = secure_getenv("XDG_CACHE_HOME");
           Xdg && *Xdg == '/')
    Directory = std::filesystem::path(Xdg) / "warpsan";
  else if (const char *Home = secure_getenv("HOME"); Home && *Home == '/')
    Directory = std::filesystem::path(Home) / ".cache/warpsan";
  else
    return {};
  std::error_code Error;
  return std::filesystem::absolute(Directory, Error);
}

} // namespace warpsan
