//===- tools/warpsan_clc.cpp - the compiler's command line ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline.h"
#include "compiler/process/crash_handler.h"
#include "compiler/process/sandbox.h"
#include "compiler/server/server.h"
#include "compiler/target/presets.h"
#include "job/job.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace warpsan;

static const char Help[] =
    R"(warpsan-clc: compiles OpenCL C or SPIR-V to a kernel's twin

  warpsan-clc [options] FILE... [-- BUILD OPTIONS]
      Compiles the files (OpenCL C; SPIR-V if a file starts with its magic
      number), links them into one program and writes its twin. BUILD OPTIONS
      are those of clBuildProgram.
  warpsan-clc --job FILE --product FILE
      Compiles one serialized job (job/job.h) to one serialized product.
  warpsan-clc --serve FD
      Takes jobs from a socket; the layer starts it so. Each job runs in a
      sandbox, see docs/explanation/security-model.md.
  warpsan-clc --test-sandbox
      Tries on this machine what the sandbox forbids. Exit code 1 if any of it is
      possible.

  --device NAME    pocl, rusticl, intel or generic (default: generic)
  --variant NAME   which twin: plain (default: the same kernel, hidden arguments
                   appended),
                   @VARIANTS@
  --scheme NAME    how accesses are checked, if not as WarpSan does; for comparison
                   (docs/explanation/schemes.md)
  --only K[:N,N[:M,M]]
                   with a lean variant: kernel K alone, for launches that prove all
                   its accesses but those numbered N; with lean-races accesses
                   numbered M are watched for data races
  --spec ID=VALUE  a specialization constant of SPIR-V, 64 bits
  --header NAME=F  a header as clCompileProgram takes them: NAME is included, F read
  -o FILE          write SPIR-V to FILE ('-': standard output)
  --manifest FILE  write the manifest to FILE ('-': standard output)
  --emit-llvm      print the final LLVM IR instead, before debug information goes
  --time           print how long each phase took
  --verbose        print the compiler's log too
  --version        print the version
  --help           print this

Exit codes: 0 compiled, 1 cannot be instrumented (the reason is printed), 2 wrong
use.
)";

/// The variants that have checks, or \p Between all of them.
static std::string variantNames(std::string_view Between, bool All) {
  std::string Names;
  for (const Variant &Each : allVariants())
    if (All || Each.Checks)
      Names += (Names.empty() ? "" : std::string(Between)) + nameOf(Each);
  return Names;
}

static std::string help() {
  const std::string_view Mark = "@VARIANTS@";
  std::string Text = Help;
  return Text.replace(Text.find(Mark), Mark.size(),
                      variantNames(",\n                   ", false));
}

/// Ends the program: what is wrong with how it was called.
[[noreturn]] static void refuse(const std::string &What) {
  std::fprintf(stderr, "warpsan-clc: %s; see warpsan-clc --help\n",
               What.c_str());
  std::exit(2);
}

static std::string readFile(const std::string &Path) {
  std::error_code Error;
  if (std::filesystem::is_directory(Path, Error))
    refuse("cannot read '" + Path + "': it is a directory");
  std::ifstream File(Path, std::ios::binary);
  std::string Bytes((std::istreambuf_iterator<char>(File)),
                    std::istreambuf_iterator<char>());
  if (!File)
    refuse("cannot read '" + Path + "': " + std::strerror(errno));
  return Bytes;
}

static void writeFile(const std::string &Path, const std::string &Bytes) {
  if (Path == "-") {
    std::cout << Bytes << std::flush;
    return;
  }
  std::ofstream File(Path, std::ios::binary);
  File << Bytes;
  File.flush();
  if (!File)
    refuse("cannot write '" + Path + "': " + std::strerror(errno));
}

namespace {

struct CommandLine {
  std::optional<int> Serve;
  std::string JobPath, ProductPath, SpirvPath, ManifestPath;
  std::string Device = "generic", Variant = "plain", Scheme, Only, BuildOptions;
  std::vector<std::string> Files;
  std::vector<SpecConstant> SpecConstants;
  std::vector<Header> Headers;
  bool EmitIR = false, Time = false, Verbose = false;
};

} // namespace

static SpecConstant parseSpec(const std::string &Text) {
  char *End = nullptr;
  SpecConstant Constant;
  Constant.Id = static_cast<uint32_t>(std::strtoul(Text.c_str(), &End, 0));
  if (*End != '=')
    refuse("--spec wants ID=VALUE, not '" + Text + "'");
  uint64_t Value = std::strtoull(End + 1, &End, 0);
  Constant.Value.assign(reinterpret_cast<char *>(&Value), sizeof(Value));
  return Constant;
}

static Header parseHeader(const std::string &Text) {
  size_t Equals = Text.find('=');
  if (Equals == std::string::npos)
    refuse("--header wants NAME=FILE, not '" + Text + "'");
  return {Text.substr(0, Equals), readFile(Text.substr(Equals + 1))};
}

static CommandLine parse(int Count, char **Words) {
  CommandLine Line;
  for (int I = 1; I < Count; ++I) {
    std::string Word = Words[I];
    auto Value = [&]() -> std::string {
      if (I + 1 == Count)
        refuse(Word + " wants a value");
      return Words[++I];
    };
    if (Word == "--help" || Word == "-h") {
      std::cout << help();
      std::exit(0);
    } else if (Word == "--version") {
      std::cout << "warpsan-clc " WARPSAN_VERSION "\n";
      std::exit(0);
    } else if (Word == "--test-sandbox") {
      bool Held = false;
      std::cout << testSandbox(Held);
      std::exit(Held ? 0 : 1);
    } else if (Word == "--serve") {
      Line.Serve = std::atoi(Value().c_str());
    } else if (Word == "--job") {
      Line.JobPath = Value();
    } else if (Word == "--product") {
      Line.ProductPath = Value();
    } else if (Word == "--device") {
      Line.Device = Value();
    } else if (Word == "--variant") {
      Line.Variant = Value();
    } else if (Word == "--scheme") {
      Line.Scheme = Value();
    } else if (Word == "--only") {
      Line.Only = Value();
    } else if (Word == "--spec") {
      Line.SpecConstants.push_back(parseSpec(Value()));
    } else if (Word == "--header") {
      Line.Headers.push_back(parseHeader(Value()));
    } else if (Word == "-o") {
      Line.SpirvPath = Value();
    } else if (Word == "--manifest") {
      Line.ManifestPath = Value();
    } else if (Word == "--emit-llvm") {
      Line.EmitIR = true;
    } else if (Word == "--time") {
      Line.Time = true;
    } else if (Word == "--verbose") {
      Line.Verbose = true;
    } else if (Word == "--") {
      for (++I; I < Count; ++I)
        Line.BuildOptions += std::string(Words[I]) + " ";
    } else if (Word.size() > 1 && Word[0] == '-') {
      refuse("no option " + Word);
    } else {
      Line.Files.push_back(Word);
    }
  }
  return Line;
}

/// "kernel:1,2:3": the accesses to check, and those to watch.
static AccessSelection parseOnly(const std::string &Text) {
  AccessSelection Only;
  std::istringstream Parts(Text);
  std::getline(Parts, Only.Kernel, ':');
  for (std::vector<uint32_t> *To : {&Only.Checked, &Only.Watched}) {
    std::string Numbers;
    std::getline(Parts, Numbers, ':');
    std::istringstream Each(Numbers);
    for (std::string One; std::getline(Each, One, ',');)
      To->push_back(static_cast<uint32_t>(std::stoul(One)));
    std::ranges::sort(*To);
  }
  return Only;
}

static Job jobOf(const CommandLine &Line) {
  Job Request;
  const std::optional<Variant> Which = variantNamed(Line.Variant);
  if (!Which)
    refuse("there is no variant '" + Line.Variant +
           "'; known: " + variantNames(", ", true));
  Request.Which = *Which;
  Request.Scheme = Line.Scheme;
  Request.Only = parseOnly(Line.Only);
  std::optional<DeviceInfo> Device = presetDevice(Line.Device);
  if (!Device)
    refuse("no device '" + Line.Device + "'");
  Request.Device = *Device;
  for (const std::string &Path : Line.Files) {
    Unit Source;
    Source.Text = readFile(Path);
    bool IsSpirv = Source.Text.starts_with("\x03\x02\x23\x07");
    Source.Lang = IsSpirv ? Unit::Language::SPIRV : Unit::Language::OpenCLC;
    if (IsSpirv)
      Source.SpecConstants = Line.SpecConstants;
    else // a unit has no name of its own
      Source.Text = "#line 1 \"" + Path + "\"\n" + Source.Text;
    Source.Options = Line.BuildOptions;
    Source.Headers = Line.Headers;
    Request.Recipe.Units.push_back(std::move(Source));
  }
  return Request;
}

/// A serialized job, as the layer would send it.
static int runJob(const CommandLine &Line) {
  if (Line.JobPath.empty() || Line.ProductPath.empty())
    refuse("--job and --product go together");
  Job Request;
  CompileResult Made;
  Inspection Look;
  if (!fromBytes(readFile(Line.JobPath), Request))
    Made.Reason = "'" + Line.JobPath + "' is not a job of this version";
  else if (!Request.Recipe.WorkingDirectory.empty() &&
           chdir(Request.Recipe.WorkingDirectory.c_str()) != 0)
    Made.Reason = "cannot enter '" + Request.Recipe.WorkingDirectory + "'";
  else {
    static int Out = open(Line.ProductPath.c_str(),
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    installCrashHandler(
        [](const char *Reason) {
          writeRefusal(Out, Reason);
          _exit(0);
        },
        0);
    int RealError = captureStandardError();
    Made = compile(Request, Look);
    removeCrashHandler();
    dup2(RealError, STDERR_FILENO);
    Made.Log += capturedStandardError();
  }
  writeFile(Line.ProductPath, toBytes(Made));
  if (Line.Time)
    std::cerr << Look.Timing.text() << "\n";
  return 0;
}

static int runFiles(const CommandLine &Line) {
  if (Line.Files.empty())
    refuse("no input file");
  Inspection Look;
  Look.WantIR = Line.EmitIR;
  Job Request = jobOf(Line);
  static int RealError = captureStandardError();
  installCrashHandler(
      [](const char *Reason) {
        dprintf(RealError, "warpsan-clc: cannot be instrumented: %s\n", Reason);
        _exit(1);
      },
      0);
  CompileResult Made = compile(Request, Look);
  removeCrashHandler();
  dup2(RealError, STDERR_FILENO);
  Made.Log += capturedStandardError();
  if (Line.Verbose || !Made.ok())
    std::cerr << Made.Log;
  if (Line.Time)
    std::cerr << Look.Timing.text() << "\n";
  if (Line.EmitIR)
    std::cout << Look.IR << std::flush;
  if (!Made.ok()) {
    std::cerr << "warpsan-clc: cannot be instrumented: " << Made.Reason << "\n";
    return 1;
  }
  if (!Line.SpirvPath.empty())
    writeFile(Line.SpirvPath, Made.SpirV);
  if (!Line.ManifestPath.empty())
    writeFile(Line.ManifestPath, Made.Manifest);
  return 0;
}

int main(int Count, char **Words) {
  CommandLine Line = parse(Count, Words);
  if (Line.Serve)
    return serve(*Line.Serve);
  if (!Line.JobPath.empty() || !Line.ProductPath.empty())
    return runJob(Line);
  return runFiles(Line);
}
