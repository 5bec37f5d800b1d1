//===- layer/process/settings.cpp - the options of this process, and where our
// files are --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/settings.h"

#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "options/private_directory.h"
#include "schemes/host.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace warpsan;

static Options &Current = noDestructor<Options>();
static std::string &Compiler = noDestructor<std::string>();
static std::string &Cache = noDestructor<std::string>();

static OnError AfterError = OnError::Continue;

static std::string findCompiler() {
  if (!Current.compiler.empty())
    return Current.compiler;
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&findCompiler), &Info) ||
      !Info.dli_fname)
    return {};
  std::error_code Error;
  auto Directory =
      std::filesystem::canonical(Info.dli_fname, Error).parent_path();
  // Installed, they are in one directory; built, in lib/ and bin/.
  for (const char *Try : {"warpsan-clc", "../bin/warpsan-clc"}) {
    auto Path = (Directory / Try).lexically_normal();
    if (access(Path.c_str(), X_OK) == 0)
      return Path;
  }
  return {};
}

static std::string makeCache() {
  const std::string Directory = cachePath(Current);
  if (Directory.empty())
    return {};
  makePrivateDirectory(Directory);
  const std::string Why = whyNotPrivate(Directory);
  if (Why.empty())
    return Directory;
  if (Current.verbosity > 0)
    writeUnsignaled(STDERR_FILENO, "WarpSan: the cache " + Directory +
                                       " is not used: " + Why + ".\n");
  return {};
}

void warpsan::readSettings() {
  if (const char *Text = secure_getenv("WARPSAN_OPTIONS")) {
    std::vector<std::string> Problems = parseOptions(Current, Text);
    if (std::string Conflict = conflictIn(Current); !Conflict.empty())
      Problems.push_back(std::move(Conflict));
    for (const std::string &Wrong : Problems)
      writeUnsignaled(STDERR_FILENO,
                      "WarpSan: in WARPSAN_OPTIONS: " + Wrong + "\n");
  }
  // Whatever else was asked for. A proven launch would run the native kernel,
  // which the driver has compiled from the same source: but a source can find
  // out who compiles it, and differ for each compiler.
  if (Current.untrusted_kernels) {
    Current.launch = "twin";
    Current.checks = "all";
    Current.kernels = Current.skip_kernels = "";
    Current.sample = 1;
  }
  if (Current.scheme != "warpsan") {
    if (!leavesOutProven(Current.scheme))
      Current.checks = "all";
    Current.svm_pool = false; // the scheme has an allocator of its own
  }
  if (Current.scheme == "canaries")
    Current.canaries = "all";
  AfterError = Current.on_error == "halt"   ? OnError::Halt
               : Current.on_error == "trap" ? OnError::Trap
                                            : OnError::Continue;
  if (!wantTwins())
    return;
  Compiler = findCompiler();
  Cache = makeCache();
}

const Options &warpsan::settings() { return Current; }
bool warpsan::wantTwins() { return Current.launch != "native"; }
bool warpsan::wantChecks() { return Current.checks != "none"; }
bool warpsan::watchesRaces() {
  return Current.races == "on" && Current.scheme == "warpsan" && wantChecks();
}
OnError warpsan::onError() { return AfterError; }
const std::string &warpsan::compilerPath() { return Compiler; }
const std::string &warpsan::cacheDirectory() { return Cache; }
