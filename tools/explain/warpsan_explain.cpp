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
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
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
  --arg NAME=VALUE    an argument of it: the bytes of memory that a pointer has,
                      the value of a number (1024, 0x400, 4*1024, 1.5)
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

/// Numbers between \p Between.
static bool readNumbers(const std::string &Text, char Between,
                        std::vector<uint64_t> &Numbers) {
  const char *At = Text.c_str();
  for (char *End = nullptr;; At = End + 1) {
    Numbers.push_back(std::strtoull(At, &End, 0));
    if (End == At || (*End && *End != Between))
      return false;
    if (!*End)
      return true;
  }
}

/// Returns what is wrong, or an empty string.
static std::string readWords(std::span<char *const> Words, Wish &W) {
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
    std::vector<uint64_t> *Numbers = Name == "--global"   ? &W.Global
                                     : Name == "--local"  ? &W.Local
                                     : Name == "--offset" ? &W.Offset
                                                          : nullptr;
    if (Numbers) {
      if (!readNumbers(Value, ',', *Numbers) || Numbers->size() > 3)
        return Name + " wants up to three numbers, not '" + Value + "'";
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
  return W.Files.empty() ? "no file was given" : "";
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

/// The bytes of a number of the argument's type.
static bool readValue(const std::string &Text, const json &Arg,
                      std::string &Bytes) {
  const std::string Type = Arg.at("type");
  const auto Size = Arg.at("size").get<size_t>();
  char *End = nullptr;
  if (Type == "float" || Type == "double") {
    const double Value = std::strtod(Text.c_str(), &End);
    const auto Single = static_cast<float>(Value);
    Bytes.assign(Size == 4 ? reinterpret_cast<const char *>(&Single)
                           : reinterpret_cast<const char *>(&Value),
                 Size);
    return *End == 0;
  }
  const long long Value = std::strtoll(Text.c_str(), &End, 0);
  if (*End || Size > sizeof(Value))
    return false;
  Bytes.assign(reinterpret_cast<const char *>(&Value), Size);
  return true;
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

/// "MIN..MAX"
static bool readRange(const std::string &Text, LaunchValues::Range &To) {
  char *End = nullptr;
  To.Min = std::strtoll(Text.c_str(), &End, 0);
  if (std::strncmp(End, "..", 2) != 0)
    return false;
  To.Max = std::strtoll(End + 2, &End, 0);
  return *End == 0;
}

/// Whatever of \p Plan's contents \p Which, "NAME" or "NAME+BYTE", is about.
/// Returns what is wrong, or an empty string.
static std::string describeContents(const std::string &Which,
                                    const std::string &Text, const json &Args,
                                    const KernelPlan &Plan,
                                    DescribedLaunch &D) {
  LaunchValues::Range Range;
  if (!readRange(Text, Range))
    return "'" + Text + "' is no range of numbers";
  const size_t Plus = Which.find('+');
  const std::vector<Content> &All = Plan.Claimed.Contents;
  bool Any = false;
  for (size_t I = 0; I < All.size(); ++I)
    if (Args[All[I].Arg].value("name", "") == Which.substr(0, Plus) &&
        (Plus == std::string::npos ||
         Which.substr(Plus + 1) == std::to_string(All[I].First))) {
      D.Contents[I] = Range;
      Any = true;
    }
  return Any || Plus == std::string::npos
             ? std::string()
             : "no proof asks what begins at '" + Which + "'";
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
      std::vector<uint64_t> Factors;
      if (!readNumbers(Given->second, '*', Factors))
        return "'" + Given->second + "' is no number of bytes";
      D.Args[I].Size = 1;
      for (uint64_t Factor : Factors)
        D.Args[I].Size *= Factor;
    } else if (readValue(Given->second, Args[I], D.Bytes[I])) {
      D.Args[I].Bytes = D.Bytes[I];
    } else {
      return "'" + Given->second + "' is no " +
             Args[I].at("type").get<std::string>();
    }
  }
  // In this order: a name alone comes before that of a member.
  D.Contents.resize(Plan.Claimed.Contents.size());
  for (const auto &[Which, Text] : W.Contents)
    if (std::string Wrong = describeContents(Which, Text, Args, Plan, D);
        !Wrong.empty())
      return Wrong;
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
    if (access(File.c_str(), R_OK) != 0)
      return refuseInput("cannot read '" + File + "': " + std::strerror(errno));
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
  bool Any = false;
  for (const json &Kernel : Kernels) {
    const std::string Name = Kernel.at("name");
    if (!W.Kernel.empty() && Name != W.Kernel)
      continue;
    ExplainedKernel K{Whole, Kernel, Read.Kernels.at(Name), {}, {}, {}, {}};
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
        K.Races =
            possibleRaces(K.Plan.Claimed, *K.Plan.Races, D.Values, Places);
      }
    }
    std::fputs(((Any ? "\n" : "") + explain(K)).c_str(), stdout);
    Any = true;
  }
  if (!Any)
    return refuseInput("the program has no kernel");
  return 0;
}
