//===- tools/doctor/warpsan_doctor.cpp - warpsan doctor -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says what is there and what works, part by part, in the order in which a run
// needs it. A device works if three kernels ran on it as twins, the results are
// right and the error in one was reported; nothing less counts.
//
//===----------------------------------------------------------------------===//
#include "options/options.h"
#include "options/private_directory.h"
#include "status/status.h"
#include "text/format.h"
#include "tools/doctor/chipstar.h"
#include "tools/doctor/probe.h"
#include "tools/process/child.h"
#include "tools/process/environment.h"
#include "tools/process/subprocess.h"
#include "tools/process/vendor_files.h"
#include "tools/warpsan.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <unistd.h>

using namespace warpsan;
namespace fs = std::filesystem;

namespace {

/// Some drivers compile their own library at the first use.
constexpr double ListSeconds = 60;
constexpr double SelfTestSeconds = 120;
constexpr double CompilerSeconds = 30;

/// A row of the table; texts from drivers go through here only.
void row(const char *Indent, const char *What, const std::string &Text) {
  std::string Clean;
  for (char C : Text)
    Clean.push_back(static_cast<unsigned char>(C) < 0x20 || C == 0x7F ? ' '
                                                                      : C);
  std::printf("%s%-*s %s\n", Indent, static_cast<int>(18 - std::strlen(Indent)),
              What, Clean.c_str());
}

/// The last line that a process wrote, for a problem's sake.
std::string lastWords(const std::string &Output) {
  size_t End = Output.find_last_not_of(" \r\n\t");
  if (End == std::string::npos)
    return {};
  size_t Start = Output.rfind('\n', End);
  Start = Start == std::string::npos ? 0 : Start + 1;
  return ": " + Output.substr(Start, std::min<size_t>(End + 1 - Start, 200));
}

std::string firstLine(const std::string &Text) {
  return Text.substr(0, Text.find('\n'));
}

//===----------------------------------------------------------------------===//
// The rows
//===----------------------------------------------------------------------===//

/// Returns the options of the environment; wrong ones are reported and skipped.
Options optionsRow(std::string &Text) {
  Options Opts;
  const char *Set = std::getenv("WARPSAN_OPTIONS");
  Text = Set ? Set : "";
  row("", "options",
      Text.empty() ? "none in WARPSAN_OPTIONS" : "WARPSAN_OPTIONS=" + Text);
  for (const std::string &Problem : parseOptions(Opts, Text))
    row("", "", "wrong: " + Problem);
  return Opts;
}

/// Returns true if there is a layer that a loader can load.
bool layerRow(const FoundFile &Layer) {
  row("", "layer", Layer.Problem.empty() ? Layer.Path : Layer.Problem);
  if (const char *Others = std::getenv("OPENCL_LAYERS"); Others && *Others)
    row("", "",
        "other layers are set and stay below ours: OPENCL_LAYERS=" +
            std::string(Others));
  return Layer.Problem.empty();
}

/// What the process that compiles is kept from, tried on this machine.
void sandboxRow(const std::string &Compiler) {
  GuardedResult R = runGuarded(
      [&]() -> std::string {
        execl(Compiler.c_str(), Compiler.c_str(), "--test-sandbox", nullptr);
        std::exit(2);
      },
      CompilerSeconds);
  std::string Missing;
  for (size_t At = 0; At < R.Output.size();) {
    const size_t End = std::min(R.Output.find('\n', At), R.Output.size());
    const std::string Line = R.Output.substr(At, End - At);
    if (Line.find(": ALL") != std::string::npos ||
        Line.find(": POSSIBLE") != std::string::npos)
      Missing += (Missing.empty() ? "" : "; ") + Line;
    At = End + 1;
  }
  if (R.Problem.empty())
    row("", "", "sandbox: works; every forbidden operation is refused");
  else
    row("", "",
        "sandbox: INCOMPLETE: " + (Missing.empty() ? R.Problem : Missing));
}

/// Returns true if warpsan-clc can be run.
bool compilerRow(const Options &Opts) {
  FoundFile Compiler = findCompiler(Opts.compiler);
  if (!Compiler.Problem.empty()) {
    row("", "compiler", Compiler.Problem);
    return false;
  }
  GuardedResult R = runGuarded(
      [&]() -> std::string {
        execl(Compiler.Path.c_str(), Compiler.Path.c_str(), "--version",
              nullptr);
        std::fprintf(stderr, "cannot be started: %s", std::strerror(errno));
        std::exit(1);
      },
      CompilerSeconds);
  if (!R.Problem.empty()) {
    row("", "compiler",
        Compiler.Path + " --version " + R.Problem + lastWords(R.Output));
    return false;
  }
  row("", "compiler", Compiler.Path + " (" + firstLine(R.Output) + ")");
  sandboxRow(Compiler.Path);
  return true;
}

/// The error of creating a directory at \p Path, or 0 if that is possible:
/// nothing is created.
int whyNotCreated(fs::path Path) {
  std::error_code Error;
  while (!fs::exists(Path, Error) && Path.has_relative_path()) {
    if (Error)
      return Error.value();
    Path = Path.parent_path();
  }
  if (!fs::is_directory(Path, Error))
    return Error ? Error.value() : ENOTDIR;
  return access(Path.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// Returns false if there is to be a cache and cannot be.
bool cacheRow(const Options &Opts) {
  std::string Directory = cachePath(Opts);
  if (Directory.empty()) {
    row("", "cache",
        Opts.cache_dir == "off"
            ? "off (cache_dir=off): every program is compiled anew"
            : "none: neither XDG_CACHE_HOME nor HOME is set; set cache_dir");
    return true;
  }
  uint64_t Entries = 0, Bytes = 0;
  std::error_code Error;
  if (!fs::exists(Directory, Error)) {
    const int Why = whyNotCreated(Directory);
    row("", "cache",
        Directory + (Why ? ": ERROR: cannot be created: " +
                               std::string(std::strerror(Why)) + " (errno " +
                               std::to_string(Why) + "); set cache_dir"
                         : ": does not exist yet; the first run creates it"));
    return Why == 0;
  }
  if (std::string Why = whyNotPrivate(Directory); !Why.empty()) {
    row("", "cache", Directory + ": NOT used: " + Why);
    return true;
  }
  fs::recursive_directory_iterator Entry(Directory, Error), End;
  for (; !Error && Entry != End; Entry.increment(Error)) {
    // Entries come and go while other processes run.
    std::error_code Gone;
    if (!Entry->is_regular_file(Gone))
      continue;
    uint64_t Size = Entry->file_size(Gone);
    if (Gone)
      continue;
    ++Entries;
    Bytes += Size;
  }
  bool Writable = access(Directory.c_str(), W_OK | X_OK) == 0;
  char Text[160];
  std::snprintf(Text, sizeof(Text), ": %s, %llu files, %.1f of %lld MiB",
                Writable ? "writable"
                         : "NOT writable, every program is compiled anew",
                static_cast<unsigned long long>(Entries),
                static_cast<double>(Bytes) / (1 << 20),
                static_cast<long long>(Opts.cache_mb));
  row("", "cache", Directory + Text);
  return true;
}

/// Names each driver that the loader is given and whose library is missing;
/// with \p Verbose the others too.
void vendorRows(bool Verbose) {
  for (const VendorFile &File : vendorFiles()) {
    const std::string Why = whyNotLoaded(File);
    const std::string Where = File.Path.empty()
                                  ? File.Library
                                  : File.Path + " (" + File.Library + ")";
    if (!Why.empty())
      row("", "", "driver not loaded: " + Where + ": " + Why);
    else if (Verbose)
      row("", "", "driver: " + Where);
  }
}

LoaderReport loaderRow() {
  LoaderReport Loader;
  GuardedResult R = runGuarded(
      [] {
        // The drivers as they are: ours and other layers come later.
        unsetenv("OPENCL_LAYERS");
        return toBytes(listDevices());
      },
      ListSeconds);
  if (!fromBytes(R.Bytes, Loader))
    Loader.Problem = "listing the devices " +
                     (R.Problem.empty() ? "gave no answer" : R.Problem) +
                     lastWords(R.Output);
  if (!Loader.Problem.empty()) {
    row("", "OpenCL loader", "none that works: " + Loader.Problem);
    return Loader;
  }
  row("", "OpenCL loader",
      Loader.Path +
          (Loader.Version.empty() ? "" : " (" + Loader.Version + ")"));
  if (!Loader.Platforms.empty())
    return Loader;
  const std::string Variable = vendorVariable();
  row("", "",
      Variable.empty()
          ? "it finds no driver; drivers register in /etc/OpenCL/vendors"
      : vendorFiles().empty()
          ? "it finds no driver: " + Variable +
                " has no .icd file; unset it or name a driver's file"
          : "it finds no driver in " + Variable);
  return Loader;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Why programs on this device cannot have twins, or nothing.
std::string whyNotInstrumented(const DeviceReport &Device) {
  if (!Device.Available)
    return "the driver says the device is not available";
  if (Device.ILVersions.find("SPIR-V") == std::string::npos)
    return "the driver takes no SPIR-V (CL_DEVICE_IL_VERSION is " +
           (Device.ILVersions.empty() ? std::string("empty")
                                      : "'" + Device.ILVersions + "'") +
           ")";
  if (Device.AddressBits != 64 && Device.AddressBits != 32)
    return "its addresses have " + std::to_string(Device.AddressBits) + " bits";
  return {};
}

/// The result of the self-test in words; \p Passed says whether all was right.
std::string testDevice(const FoundFile &Layer, const std::string &OptionsText,
                       uint32_t Platform, uint32_t Device, bool &Passed) {
  Passed = false;
  RunDirectory Directory;
  if (!Directory.problem().empty())
    return Directory.problem();
  // Without the cache, so that the compiler is tested too; twins in any case.
  std::string Text = OptionsText + (OptionsText.empty() ? "" : ":") +
                     "cache_dir=off:checks=all:launch=twin:on_error=continue";
  GuardedResult R = runGuarded(
      [&] {
        enterLayerEnvironment(Layer.Path, Text, Directory.path());
        return "answer:" + selfTest(Platform, Device);
      },
      SelfTestSeconds);
  if (R.Bytes.empty())
    return "FAILED: the process " +
           (R.Problem.empty() ? "exited inside the driver" : R.Problem) +
           lastWords(R.Output);
  std::string Problem = R.Bytes.substr(std::strlen("answer:"));
  if (!Problem.empty())
    return "FAILED: " + Problem + lastWords(R.Output);

  std::vector<std::string> Unreadable;
  Summary Sum = readRunDir(Directory.path(), Unreadable);
  if (!Sum.Processes)
    return "FAILED: results are right, but the loader did not load the layer" +
           (Unreadable.empty() ? "" : " (" + Unreadable.front() + ")");
  if (Sum[Counter::launches_twin] < SelfTestLaunches) {
    std::string Why;
    for (const Summary::GapLine &Gap : Sum.Gaps)
      Why += "; " + Gap.Subject + ": " + Gap.Reason;
    return "FAILED: results are right, but only " +
           std::to_string(Sum[Counter::launches_twin]) + " of " +
           std::to_string(Sum[Counter::launches]) + " launches ran as twins" +
           Why;
  }
  const bool Reported =
      std::ranges::any_of(Sum.Findings, [](const Summary::FindingLine &Line) {
        return Line.Kernel == SelfTestOverrun;
      });
  if (!Reported)
    return "FAILED: results are right, but an access out of bounds was not "
           "reported: do not rely on WarpSan on this device" +
           lastWords(R.Output);
  if (!R.Problem.empty())
    return "FAILED: results are right, but then the process " + R.Problem +
           lastWords(R.Output);
  Passed = true;
  char Seconds[32];
  std::snprintf(Seconds, sizeof(Seconds), " (%.1f s)", R.Seconds);
  return "passed: " + std::to_string(SelfTestLaunches) +
         " kernels ran as twins, results are right, and the error in one of "
         "them was found" +
         Seconds;
}

} // namespace

int warpsan::doctorCommand(std::span<char *const> Words) {
  const bool Verbose = !Words.empty();
  for (const std::string_view Word : Words) {
    if (Word == "--verbose")
      continue;
    const bool Help = Word == "--help" || Word == "-h";
    if (!Help)
      std::fprintf(stderr, "warpsan: %s is not an option of warpsan doctor.\n",
                   quoted(Word).c_str());
    std::fputs("usage: warpsan doctor [--verbose]\n\nTests this machine: "
               "OpenCL loader, "
               "drivers, compiler and cache, and runs three small\nkernels "
               "on each device, one with an error. Exits with 0 if WarpSan "
               "works on at least one\ndevice and its cache can be used. "
               "--verbose names every driver's .icd file.\n",
               Help ? stdout : stderr);
    return Help ? 0 : ExitUsage;
  }
  guardStandardDescriptors();

  row("", "warpsan", WARPSAN_VERSION);
  FoundFile Layer = findLayer();
  bool HasLayer = layerRow(Layer);
  std::string OptionsText;
  Options Opts = optionsRow(OptionsText);
  bool HasCompiler = compilerRow(Opts);
  const bool HasCache = cacheRow(Opts);
  LoaderReport Loader = loaderRow();
  vendorRows(Verbose);
  row("", "CUDA, HIP", chipStarReport());

  uint32_t Devices = 0, Working = 0;
  for (uint32_t P = 0; P < Loader.Platforms.size(); ++P) {
    const PlatformReport &Platform = Loader.Platforms[P];
    std::printf("\n");
    row("", ("platform " + std::to_string(P)).c_str(),
        Platform.Name + ", " + Platform.Version);
    if (Platform.Devices.empty())
      row("  ", "no device",
          Platform.Name == "rusticl"
              ? "rusticl offers those named in RUSTICL_ENABLE, for example "
                "RUSTICL_ENABLE=llvmpipe"
              : "the driver offers none here");
    for (uint32_t D = 0; D < Platform.Devices.size(); ++D) {
      const DeviceReport &Device = Platform.Devices[D];
      ++Devices;
      row("  ", ("device " + std::to_string(D)).c_str(), Device.Name);
      row("    ", "driver", Device.DriverVersion + ", " + Device.Version);
      row("    ", "SPIR-V",
          Device.ILVersions.empty() ? "none" : Device.ILVersions);
      std::string WhyNot = whyNotInstrumented(Device);
      row("    ", "instrumented", WhyNot.empty() ? "yes" : "no: " + WhyNot);
      if (!WhyNot.empty())
        continue;
      if (!HasLayer || !HasCompiler) {
        row("    ", "self-test",
            std::string("not run: there is no ") +
                (HasLayer ? "compiler" : "layer"));
        continue;
      }
      bool Passed = false;
      std::fflush(stdout);
      row("    ", "self-test", testDevice(Layer, OptionsText, P, D, Passed));
      Working += Passed;
    }
  }

  std::printf("\nWarpSan works on %u of %u %s.\n", Working, Devices,
              Devices == 1 ? "device" : "devices");
  return Working && HasCache ? 0 : 1;
}
