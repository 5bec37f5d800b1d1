//===- tools/explain/warpsan_explain.cpp - why an access is checked or not ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/explain/explain_text.h"
#include "tools/process/environment.h"
#include "tools/warpsan.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan;
using nlohmann::json;

static const char Help[] =
    R"(usage: warpsan explain FILE... [options] [-- BUILD OPTIONS]

Says for each memory access of a kernel whether it is checked when the kernel
runs, or can be proven in bounds when the kernel is launched, and why not.
A FILE is OpenCL C, or SPIR-V if it begins with SPIR-V's magic number.

  --kernel NAME       only this one
  --device NAME       as which driver compiles: pocl, rusticl, intel or generic
  --global X[,Y[,Z]]  a launch: its global size; with it, what that launch proves
  --local X[,Y[,Z]]   its work-group size (default: the driver chooses)
  --offset X[,Y[,Z]]  its global offset
  --arg NAME=VALUE    an argument of it: the bytes of memory that a pointer has
                      (4096, 0x1000, 4*1024), the value of a number (1024,
                      0x400, 1.5)
  --range NAME[+BYTE]=MIN..MAX
                      the values of an index buffer of it; of structs, the
                      member that begins at that byte
  --races             which accesses may race, as with --races=on; buffers of
                      different arguments are taken for different ones
  --verbose           print the compiler's log too
)";

namespace {
struct Wish {
  std::vector<std::string> Files, BuildOptions;
  std::string Kernel, Device = "generic";
  std::vector<uint64_t> Global, Local, Offset;
  std::map<std::string, std::string> Args, Contents;
  bool Verbose = false, Races = false;
};
} // namespace

static int refuse(const std::string &What) {
  std::fprintf(stderr, "warpsan explain: %s; see warpsan explain --help\n",
               What.c_str());
  return ExitUsage;
}

/// The input is at fault, not the command line.
static int refuseInput(const std::string &What) {
  std::fprintf(stderr, "warpsan explain: %s\n", What.c_str());
  return 1;
}

namespace {
/// A whole number as it was written: 12, -12, 0x1f or, as in C, 017.
struct Integer {
  bool Negative = false;
  uint64_t Magnitude = 0;
  bool TooLarge = false; ///< for 64 bits

  /// Whether an integer of that size, signed or unsigned, has the value.
  bool fits(size_t Bytes) const {
    if (TooLarge)
      return false;
    const size_t Bits = 8 * Bytes;
    return Negative ? Magnitude <= uint64_t(1) << (Bits - 1)
                    : Bits >= 64 || Magnitude >> Bits == 0;
  }
  /// In two's complement.
  uint64_t bits() const { return Negative ? 0 - Magnitude : Magnitude; }
};
} // namespace

/// The number that is all of \p Text.
static std::optional<Integer> readInteger(const std::string &Text) {
  Integer Read;
  Read.Negative = Text.starts_with("-");
  const std::string Digits = Text.substr(Read.Negative);
  if (Digits.empty() || !std::isdigit(static_cast<unsigned char>(Digits[0])))
    return std::nullopt; // strtoull takes spaces and signs
  char *End = nullptr;
  errno = 0;
  Read.Magnitude = std::strtoull(Digits.c_str(), &End, 0);
  Read.TooLarge = errno == ERANGE;
  return *End ? std::nullopt : std::optional(Read);
}

/// Numbers between \p Between.
static std::optional<std::vector<Integer>> readNumbers(const std::string &Text,
                                                       char Between) {
  std::vector<Integer> Numbers;
  for (size_t At = 0; At <= Text.size();) {
    const size_t End = std::min(Text.find(Between, At), Text.size());
    const std::optional<Integer> Number =
        readInteger(Text.substr(At, End - At));
    if (!Number)
      return std::nullopt;
    Numbers.push_back(*Number);
    At = End + 1;
  }
  return Numbers;
}

/// The value of --global and its like. Returns what is wrong, or an empty
/// string.
static std::string readSizes(const std::string &Name, const std::string &Value,
                             std::vector<uint64_t> &Sizes) {
  const auto Numbers = readNumbers(Value, ',');
  if (!Numbers || Numbers->size() > 3)
    return Name + " wants up to three numbers, not '" + Value + "'";
  const uint64_t Least = Name == "--offset" ? 0 : 1;
  for (const Integer &Number : *Numbers) {
    if (Number.TooLarge)
      return Name + " wants up to three numbers of 64 bits, not '" + Value +
             "'";
    if (Number.Negative || Number.Magnitude < Least)
      return Name + " wants numbers of " + std::to_string(Least) +
             " or more, not '" + Value + "'";
    Sizes.push_back(Number.Magnitude);
  }
  return {};
}

/// Returns what is wrong, or an empty string.
static std::string readWords(std::span<char *const> Words, Wish &W) {
  std::string OfALaunch; // the first option that is
  for (size_t I = 0; I < Words.size(); ++I) {
    const std::string Word = Words[I];
    if (Word == "--") {
      W.BuildOptions.assign(Words.begin() + static_cast<long>(I) + 1,
                            Words.end());
      break;
    }
    if (!Word.starts_with("-")) {
      W.Files.push_back(Word);
      continue;
    }
    if (Word == "--races") {
      W.Races = true;
      continue;
    }
    if (Word == "--verbose") {
      W.Verbose = true;
      continue;
    }
    // Both --name value and --name=value.
    const size_t Equals = Word.find('=');
    const std::string Name = Word.substr(0, Equals);
    constexpr std::string_view Names[] = {"--global", "--local",  "--offset",
                                          "--kernel", "--device", "--arg",
                                          "--range"};
    if (!std::ranges::count(Names, Name))
      return "there is no option " + Word;
    if (Equals == std::string::npos && I + 1 == Words.size())
      return Name + " wants a value";
    const std::string Value =
        Equals != std::string::npos ? Word.substr(Equals + 1) : Words[++I];
    if (OfALaunch.empty() && Name != "--global" && Name != "--kernel" &&
        Name != "--device")
      OfALaunch = Name;
    std::vector<uint64_t> *Numbers = Name == "--global"   ? &W.Global
                                     : Name == "--local"  ? &W.Local
                                     : Name == "--offset" ? &W.Offset
                                                          : nullptr;
    if (Numbers) {
      Numbers->clear(); // the last one counts
      if (std::string Wrong = readSizes(Name, Value, *Numbers); !Wrong.empty())
        return Wrong;
    } else if (Name == "--kernel") {
      W.Kernel = Value;
    } else if (Name == "--device") {
      W.Device = Value;
    } else if (Value.find('=') == std::string::npos) {
      return Name + " wants NAME=" + (Name == "--arg" ? "VALUE" : "MIN..MAX") +
             ", not '" + Value + "'";
    } else {
      (Name == "--arg" ? W.Args
                       : W.Contents)[Value.substr(0, Value.find('='))] =
          Value.substr(Value.find('=') + 1);
    }
  }
  constexpr std::string_view Devices[] = {"pocl", "rusticl", "intel",
                                          "generic"};
  if (!std::ranges::count(Devices, W.Device))
    return "there is no device '" + W.Device +
           "': pocl, rusticl, intel or generic";
  if (W.Global.empty() && !OfALaunch.empty())
    return OfALaunch + " describes a launch; give --global too";
  return W.Files.empty() ? "no file was given" : "";
}

/// Why \p File is no input, or an empty string.
static std::string whyNotInput(const std::string &File) {
  const std::string CannotRead = "cannot read '" + File + "': ";
  std::error_code Error;
  if (std::filesystem::is_directory(File, Error))
    return CannotRead + "it is a directory";
  if (access(File.c_str(), R_OK) != 0)
    return CannotRead + std::strerror(errno);
  // What a pipe has can be read only once.
  if (!std::filesystem::is_regular_file(File, Error))
    return {};
  std::ifstream From(File, std::ios::binary);
  std::string Start(4096, ' ');
  From.read(Start.data(), static_cast<std::streamsize>(Start.size()));
  Start.resize(static_cast<size_t>(From.gcount()));
  return !Start.starts_with("\x03\x02\x23\x07") &&
                 Start.find('\0') != std::string::npos
             ? "'" + File + "' is neither OpenCL C nor SPIR-V"
             : "";
}

/// What the compiler prints; its errors go where ours go.
static std::string outputOf(const std::vector<std::string> &Words, int &Exit) {
  std::vector<char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  int Pipe[2];
  Exit = ExitOwnFailure;
  if (pipe(Pipe) != 0)
    return {};
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&Actions, Pipe[0]);
  posix_spawn_file_actions_addclose(&Actions, Pipe[1]);
  pid_t Pid = 0;
  const int Error =
      posix_spawn(&Pid, Argv[0], &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  std::string Text;
  char Some[1 << 16];
  for (ssize_t Got; (Got = read(Pipe[0], Some, sizeof(Some))) > 0;)
    Text.append(Some, static_cast<size_t>(Got));
  close(Pipe[0]);
  int Status = 0;
  if (Error == 0 && waitpid(Pid, &Status, 0) == Pid && WIFEXITED(Status))
    Exit = WEXITSTATUS(Status);
  return Text;
}

/// The bytes of a number of the argument's type. Returns what is wrong, or an
/// empty string. SPIR-V does not tell signed from unsigned.
static std::string readValue(const std::string &Text, const json &Arg,
                             std::string &Bytes) {
  const std::string Type = Arg.at("type");
  const auto Size = Arg.at("size").get<size_t>();
  const std::string WrongType =
      "'" + Text + "' is not " + (Type.starts_with("i") ? "an " : "a ") + Type;
  if (Type == "float" || Type == "double") {
    char *End = nullptr;
    const double Value = std::strtod(Text.c_str(), &End);
    const auto Single = static_cast<float>(Value);
    Bytes.assign(Size == 4 ? reinterpret_cast<const char *>(&Single)
                           : reinterpret_cast<const char *>(&Value),
                 Size);
    return Text.empty() || *End ? WrongType : "";
  }
  const std::optional<Integer> Value = readInteger(Text);
  if (!Value || Size > sizeof(uint64_t))
    return WrongType;
  if (!Value->fits(Size))
    return Text + " does not fit " + Type + " (" + std::to_string(8 * Size) +
           " bits)";
  const uint64_t Bits = Value->bits();
  Bytes.assign(reinterpret_cast<const char *>(&Bits), Size);
  return {};
}

/// The product of numbers, "4*1024".
static std::optional<uint64_t> readByteCount(const std::string &Text) {
  uint64_t Bytes = 1;
  const auto Factors = readNumbers(Text, '*');
  if (!Factors)
    return std::nullopt;
  for (const Integer &Factor : *Factors)
    if (Factor.Negative || Factor.TooLarge ||
        __builtin_mul_overflow(Bytes, Factor.Magnitude, &Bytes))
      return std::nullopt;
  return Bytes;
}

namespace {
/// A launch as the words describe it.
struct DescribedLaunch {
  std::vector<std::string> Bytes;
  std::vector<LaunchValues::Arg> Args;
  std::vector<std::optional<LaunchValues::Range>> Contents;
  LaunchValues Values;
};
} // namespace

/// "MIN..MAX" of --range \p Which. Returns what is wrong, or an empty string.
static std::string readRange(const std::string &Which, const std::string &Text,
                             LaunchValues::Range &To) {
  const size_t Dots = Text.find("..");
  if (Dots == std::string::npos)
    return "--range " + Which + ": '" + Text + "' is not MIN..MAX";
  const std::optional<Integer> Min = readInteger(Text.substr(0, Dots));
  const std::optional<Integer> Max = readInteger(Text.substr(Dots + 2));
  // Values are signed integers of 64 bits.
  auto Fits = [](const std::optional<Integer> &Value) {
    return Value && Value->fits(8) &&
           (Value->Negative || Value->Magnitude <= INT64_MAX);
  };
  if (Fits(Min) && Fits(Max)) {
    To.Min = static_cast<int64_t>(Min->bits());
    To.Max = static_cast<int64_t>(Max->bits());
    if (To.Min <= To.Max)
      return {};
  }
  return "--range " + Which + " wants MIN..MAX with MIN at most MAX, not '" +
         Text + "'";
}

/// Whether --range \p Which, "NAME" or "NAME+BYTE", is about \p Of.
static bool isAbout(const std::string &Which, const Content &Of,
                    const json &Args) {
  const size_t Plus = Which.find('+');
  return Args[Of.Arg].value("name", "") == Which.substr(0, Plus) &&
         (Plus == std::string::npos ||
          Which.substr(Plus + 1) == std::to_string(Of.First));
}

/// Returns what is wrong, or an empty string.
static std::string describe(const Wish &W, const json &Kernel,
                            const KernelPlan &Plan, DescribedLaunch &D) {
  const json &Args = Kernel.at("args");
  D.Bytes.resize(Args.size());
  D.Args.resize(Args.size());
  for (size_t I = 0; I < Args.size(); ++I) {
    const std::string Name = Args[I].value("name", "");
    const std::string Kind = Args[I].at("kind");
    auto Given = W.Args.find(Name.empty() ? std::to_string(I) : Name);
    if (Given == W.Args.end())
      Given = W.Args.find(std::to_string(I));
    const bool IsMemory =
        Kind == "global" || Kind == "constant" || Kind == "local";
    if (Given == W.Args.end()) {
      if (IsMemory || Kind == "value")
        return "a launch of " + Kernel.at("name").get<std::string>() +
               " needs --arg " + Name + "=" + (IsMemory ? "BYTES" : "VALUE");
      continue;
    }
    if (IsMemory) {
      const std::optional<uint64_t> Bytes = readByteCount(Given->second);
      if (!Bytes)
        return "--arg " + Given->first + ": '" + Given->second +
               "' is not a number of bytes";
      D.Args[I].Size = *Bytes;
    } else {
      if (std::string Wrong = readValue(Given->second, Args[I], D.Bytes[I]);
          !Wrong.empty())
        return "--arg " + Given->first + ": " + Wrong;
      D.Args[I].Bytes = D.Bytes[I];
    }
  }
  // In this order: a name alone comes before that of a member.
  D.Contents.resize(Plan.Claimed.Contents.size());
  for (const auto &[Which, Text] : W.Contents) {
    LaunchValues::Range Range;
    if (std::string Wrong = readRange(Which, Text, Range); !Wrong.empty())
      return Wrong;
    for (size_t I = 0; I < D.Contents.size(); ++I)
      if (isAbout(Which, Plan.Claimed.Contents[I], Args))
        D.Contents[I] = Range;
  }
  for (size_t I = 0; I < W.Global.size(); ++I) {
    D.Values.Global[I] = W.Global[I];
    D.Values.Local[I] = I < W.Local.size() ? W.Local[I] : 0;
    D.Values.Offset[I] = I < W.Offset.size() ? W.Offset[I] : 0;
  }
  D.Values.MaxLocal = UINT64_MAX;
  D.Values.Args = D.Args;
  D.Values.Contents = D.Contents;
  return {};
}

/// The first of \p Given, "NAME", "NAME+BYTE" or an argument's number, that no
/// kernel of \p Kernels which \p W asks for has; empty if there is none.
static std::string
unknownArgument(const json &Kernels, const Wish &W,
                const std::map<std::string, std::string> &Given) {
  for (const auto &[Which, Value] : Given) {
    const std::string Name = Which.substr(0, Which.find('+'));
    bool Known = false;
    for (const json &Kernel : Kernels) {
      if (!W.Kernel.empty() && Kernel.at("name") != W.Kernel)
        continue;
      const json &Args = Kernel.at("args");
      for (size_t I = 0; I < Args.size(); ++I)
        Known |= Args[I].value("name", "") == Name || std::to_string(I) == Name;
    }
    if (!Known)
      return Name;
  }
  return {};
}

/// The first --range that no proof of a kernel which \p W asks for uses; empty
/// if there is none.
static std::string unusedRange(const json &Kernels, const Wish &W,
                               const Manifest &Read) {
  for (const auto &[Which, Value] : W.Contents) {
    bool Used = false;
    for (const json &Kernel : Kernels) {
      const std::string Name = Kernel.at("name");
      if (!W.Kernel.empty() && Name != W.Kernel)
        continue;
      for (const Content &Each : Read.Kernels.at(Name).Claimed.Contents)
        Used |= isAbout(Which, Each, Kernel.at("args"));
    }
    if (!Used)
      return Which;
  }
  return {};
}

int warpsan::explainCommand(std::span<char *const> Words) {
  for (const char *Word : Words)
    if (std::string_view(Word) == "--help" || std::string_view(Word) == "-h") {
      std::fputs(Help, stdout);
      return 0;
    }
  Wish W;
  if (std::string Wrong = readWords(Words, W); !Wrong.empty())
    return refuse(Wrong);
  for (const std::string &File : W.Files)
    if (std::string Why = whyNotInput(File); !Why.empty())
      return refuseInput(Why);
  const FoundFile Compiler = findCompiler("");
  if (Compiler.Path.empty()) {
    std::fprintf(stderr, "warpsan explain: %s\n", Compiler.Problem.c_str());
    return ExitOwnFailure;
  }
  std::vector<std::string> Command = {Compiler.Path,
                                      "--variant",
                                      W.Races ? "lean-races" : "lean",
                                      "--device",
                                      W.Device,
                                      "--manifest",
                                      "-"};
  if (W.Verbose)
    Command.emplace_back("--verbose");
  Command.insert(Command.end(), W.Files.begin(), W.Files.end());
  Command.emplace_back("--");
  Command.insert(Command.end(), W.BuildOptions.begin(), W.BuildOptions.end());
  int Exit = 0;
  const std::string Text = outputOf(Command, Exit);
  if (Exit)
    return Exit == 1 ? 1 : ExitOwnFailure;
  Manifest Read;
  if (std::string Wrong = readManifest(Text, Read); !Wrong.empty()) {
    std::fprintf(stderr, "warpsan explain: %s\n", Wrong.c_str());
    return ExitOwnFailure;
  }
  const json Whole = json::parse(Text);
  const json &Kernels = Whole.at("kernels");
  if (!W.Kernel.empty() &&
      std::ranges::none_of(Kernels, [&W](const json &Kernel) {
        return Kernel.at("name") == W.Kernel;
      }))
    return refuse("there is no kernel " + W.Kernel);
  for (const auto *Given : {&W.Args, &W.Contents})
    if (const std::string Name = unknownArgument(Kernels, W, *Given);
        !Name.empty())
      return refuse(
          (W.Kernel.empty() ? "no kernel" : "kernel " + W.Kernel) +
          (W.Kernel.empty() ? " has an argument '" : " has no argument '") +
          Name + "'");
  std::string Explained;
  for (const json &Kernel : Kernels) {
    const std::string Name = Kernel.at("name");
    if (!W.Kernel.empty() && Name != W.Kernel)
      continue;
    ExplainedKernel K{Whole,   Kernel, Read.Kernels.at(Name), {}, {},
                      nullptr, W.Races};
    DescribedLaunch D;
    if (!W.Global.empty()) {
      if (std::string Wrong = describe(W, Kernel, K.Plan, D); !Wrong.empty())
        return refuse(Wrong);
      K.Verdicts = prove(K.Plan.Claimed, K.Plan.Claimed.All, D.Values);
      K.VerdictsByContents =
          prove(K.Plan.Claimed, K.Plan.Claimed.ByContents, D.Values);
      K.Launch = &D.Values;
      if (K.Plan.Races && K.Plan.Races->WhyNot.empty()) {
        std::vector<ArgPlace> Places;
        while (Places.size() < K.Plan.Args.size())
          Places.push_back({Places.size() + 1, 0});
        // As in ProofCache: contents may change while the launch runs.
        LaunchValues Lasting = D.Values;
        Lasting.Contents = {};
        K.Races = possibleRaces(K.Plan.Claimed, *K.Plan.Races, Lasting, Places);
      }
    }
    Explained += (Explained.empty() ? "" : "\n") + explain(K);
  }
  if (Explained.empty())
    return refuseInput("the program has no kernel");
  if (const std::string Which = unusedRange(Kernels, W, Read); !Which.empty())
    return refuse("no proof uses the values of '" + Which + "'; omit --range " +
                  Which);
  std::fputs(Explained.c_str(), stdout);
  return 0;
}
