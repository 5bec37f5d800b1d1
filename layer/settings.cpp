//===- layer/settings.cpp - the options of this process, and where our files are
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/settings.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

// Never destroyed: OpenCL may be called from static destructors.
static Options &Current = *new Options;
static std::string &Compiler = *new std::string;
static std::string &Cache = *new std::string;

static OnError AfterError = OnError::Continue;

static std::string findCompiler() {
  if (!Current.compiler.empty())
    return Current.compiler;
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&findCompiler), &Info) ||
      !Info.dli_fname)
    return {};
  std::error_code Error;
  auto Folder = std::filesystem::canonical(Info.dli_fname, Error).parent_path();
  // Installed, they are in one folder; built, in lib/ and bin/.
  for (const char *Try : {"warpsan-clc", "../bin/warpsan-clc"}) {
    auto Path = (Folder / Try).lexically_normal();
    if (access(Path.c_str(), X_OK) == 0)
      return Path;
  }
  return {};
}

static std::string makeCache() {
  std::filesystem::path Folder = cachePath(Current);
  if (Folder.empty())
    return {};
  std::error_code Error;
  std::filesystem::create_directories(Folder.parent_path(), Error);
  mkdir(Folder.c_str(), 0700);
  return Folder;
}

void warpsan::readSettings() {
  if (const char *Text = std::getenv("WARPSAN_OPTIONS"))
    for (const std::string &Wrong : parseOptions(Current, Text))
      std::fprintf(stderr, "WarpSan: %s\n", Wrong.c_str());
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
OnError warpsan::onError() { return AfterError; }
const std::string &warpsan::compilerPath() { return Compiler; }
const std::string &warpsan::cacheFolder() { return Cache; }
