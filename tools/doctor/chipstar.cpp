//===- tools/doctor/chipstar.cpp - is there a runtime for CUDA and HIP ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/doctor/chipstar.h"

#include "tools/process/subprocess.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>

#include <unistd.h>

using namespace warpsan;
namespace fs = std::filesystem;

/// The library beside the compiler that a search of PATH finds first; empty if
/// none does.
static fs::path findLibrary() {
  const char *Set = std::getenv("PATH");
  std::istringstream Directories(Set ? Set : "");
  for (std::string Directory; std::getline(Directories, Directory, ':');) {
    fs::path Bin(Directory);
    fs::path Library = (Bin / "../lib/libCHIP.so").lexically_normal();
    if (!Directory.empty() && access((Bin / "hipcc").c_str(), X_OK) == 0 &&
        access(Library.c_str(), R_OK) == 0)
      return Library;
  }
  return {};
}

/// Empty if it offers a device; ends the process if there is none, as any
/// program with it does.
static std::string ask(const fs::path &Library) {
  void *Handle = dlopen(Library.c_str(), RTLD_NOW);
  if (!Handle)
    return std::string("cannot be loaded: ") + dlerror();
  auto *Count =
      reinterpret_cast<int (*)(int *)>(dlsym(Handle, "hipGetDeviceCount"));
  int Devices = 0;
  return Count && Count(&Devices) == 0 && Devices > 0 ? "works"
                                                      : "offers no device";
}

std::string warpsan::chipStarReport() {
  constexpr double Seconds = 60;
  const fs::path Library = findLibrary();
  if (Library.empty())
    return "no chipStar on PATH; CUDA and HIP programs need it: "
           "docs/how-to/cuda-hip.md";
  const std::string Where =
      "chipStar in " + Library.parent_path().parent_path().string() + " ";
  const GuardedResult AsIs = runGuarded([&] { return ask(Library); }, Seconds);
  if (AsIs.Bytes == "works")
    return Where + "works";
  // It looks for a GPU by default.
  const GuardedResult OnCpu = runGuarded(
      [&] {
        setenv("CHIP_BE", "opencl", 1);
        setenv("CHIP_DEVICE_TYPE", "cpu", 1);
        return ask(Library);
      },
      Seconds);
  if (OnCpu.Bytes == "works")
    return Where + "works with CHIP_BE=opencl CHIP_DEVICE_TYPE=cpu";
  const GuardedResult &R = OnCpu.Bytes.empty() ? AsIs : OnCpu;
  return Where + (R.Bytes.empty() ? "does not work: it " + R.Problem : R.Bytes);
}
