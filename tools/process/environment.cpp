//===- tools/process/environment.cpp - the environment of a program -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/process/environment.h"

#include "status/status.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <system_error>

#include <unistd.h>

using namespace warpsan;
namespace fs = std::filesystem;

static fs::path ownDirectory() {
  std::error_code Error;
  return fs::read_symlink("/proc/self/exe", Error).parent_path();
}

/// The first of \p Places, relative to this executable, that \p Mode (R_OK,
/// X_OK) allows.
static FoundFile findBeside(const char *What,
                            std::initializer_list<const char *> Places,
                            int Mode) {
  FoundFile Found;
  std::string Tried;
  for (const char *Place : Places) {
    fs::path Path = (ownDirectory() / Place).lexically_normal();
    if (access(Path.c_str(), Mode) == 0) {
      Found.Path = Path;
      return Found;
    }
    Tried += (Tried.empty() ? "" : ", ") + Path.string();
  }
  Found.Problem =
      std::string(What) + " was not found; looked for " + Tried + ".";
  return Found;
}

FoundFile warpsan::findLayer() {
  FoundFile Found =
      findBeside("the layer",
                 {
                     WARPSAN_PRIVATE_FROM_BIN "/libwarpsan_layer.so",
                     "../lib/libwarpsan_layer.so", // where it was built
                     "libwarpsan_layer.so",
                 },
                 R_OK);
  if (Found.Path.find(':') != std::string::npos)
    Found.Problem = "the layer is in " + Found.Path +
                    ", and OpenCL loaders cut OPENCL_LAYERS at ':'; move "
                    "WarpSan to a directory without one.";
  return Found;
}

FoundFile warpsan::findCompiler(const std::string &Option) {
  if (Option.empty())
    return findBeside("the compiler",
                      {WARPSAN_PRIVATE_FROM_BIN "/warpsan-clc", "warpsan-clc"},
                      X_OK);
  FoundFile Found;
  Found.Path = Option;
  if (access(Option.c_str(), X_OK) != 0)
    Found.Problem = "the option compiler names " + Option +
                    ", which cannot be run: " + std::strerror(errno) + ".";
  return Found;
}

std::string warpsan::layersVariable(std::string_view Existing,
                                    const std::string &Ours) {
  std::string Out;
  while (!Existing.empty()) {
    size_t End = Existing.find(':');
    std::string Layer(Existing.substr(0, End));
    Existing.remove_prefix(End == std::string_view::npos ? Existing.size()
                                                         : End + 1);
    std::error_code Error;
    bool Same = Layer == Ours || fs::equivalent(Layer, Ours, Error);
    if (!Layer.empty() && !Same)
      Out += Layer + ":";
  }
  return Out + Ours;
}

RunDirectory::RunDirectory() {
  const char *Base = std::getenv("TMPDIR");
  std::string Name = Base && *Base == '/' ? Base : "/tmp";
  Name += "/warpsan-XXXXXX";
  if (mkdtemp(Name.data()))
    Path = Name;
  else
    Problem = "cannot create directory " + Name + ": " + std::strerror(errno) +
              "; set TMPDIR to a writable directory.";
}

RunDirectory::~RunDirectory() {
  std::error_code Error;
  if (!Path.empty())
    fs::remove_all(Path, Error);
}

size_t warpsan::processesOf(const std::string &Directory) {
  const std::string Entry = std::string(RunDirVariable) + "=" + Directory;
  size_t Found = 0;
  std::error_code Error;
  for (const auto &Process :
       std::filesystem::directory_iterator("/proc", Error)) {
    const std::string Name = Process.path().filename();
    if (Name.find_first_not_of("0123456789") != std::string::npos ||
        Name == std::to_string(getpid()))
      continue;
    std::string Command;
    std::getline(std::ifstream(Process.path() / "comm"), Command);
    if (Command == "warpsan-clc") // ends when its last client has
      continue;
    // Empty for a process that has ended and that nobody has waited for.
    std::ifstream File(Process.path() / "environ", std::ios::binary);
    for (std::string Each; std::getline(File, Each, '\0');)
      if (Each == Entry) {
        ++Found;
        break;
      }
  }
  return Found;
}

void warpsan::enterLayerEnvironment(const std::string &Layer,
                                    const std::string &Options,
                                    const std::string &Directory) {
  const char *Existing = std::getenv("OPENCL_LAYERS");
  setenv("OPENCL_LAYERS",
         layersVariable(Existing ? Existing : "", Layer).c_str(), 1);
  setenv("WARPSAN_OPTIONS", Options.c_str(), 1);
  setenv(RunDirVariable, Directory.c_str(), 1);
  // chipStar (CUDA and HIP on OpenCL) keeps built modules of its own; its
  // second run would come as a binary. Empty switches that cache off.
  setenv("CHIP_MODULE_CACHE_DIR", "", 1);
}
