//===- test/robustness/fuzz_targets/cache.cpp - entries of the cache, and
// binaries' --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/cache.h"

#include "layer/process/settings.h"
#include "layer/twin/binary_recipes.h"
#include "layer/twin/build_options.h"
#include "layer/twin/manifest.h"
#include "test/robustness/fuzz_targets/demand.h"
#include "test/robustness/fuzz_targets/folder.h"

#include <fstream>

using namespace warpsan;
namespace fs = std::filesystem;

static fs::path cache() {
  static fuzz::Folder Own;
  static const bool Ready = [] {
    setenv("WARPSAN_OPTIONS", ("cache_dir=" + Own.Path.string()).c_str(), 1);
    readSettings();
    return true;
  }();
  return Ready ? Own.Path : "";
}

/// The only entry there is becomes \p Bytes, whatever it was.
static void spoil(std::string_view Bytes) {
  for (const fs::directory_entry &Entry :
       fs::recursive_directory_iterator(cache()))
    if (Entry.is_regular_file())
      std::ofstream(Entry.path(), std::ios::binary) << Bytes;
}

static void empty() {
  for (const fs::directory_entry &Entry : fs::directory_iterator(cache()))
    fs::remove_all(Entry.path());
}

/// The first byte says how deep the damage is: of the entry, of what is in it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (!Size)
    return 0;
  cache();
  const std::string Bytes(fuzz::textOf(Data + 1, Size - 1));
  const ContentHash Key = hashOf("a job");
  if (Data[0] % 3 == 0) {
    cacheStore(CacheKind::CompileResult, Key, "a product");
    spoil(Bytes);
    std::optional<std::string> Found = cacheLoad(CacheKind::CompileResult, Key);
    fuzz::demand(!Found || *Found == "a product", "no other entry is taken");
  } else if (Data[0] % 3 == 1) {
    cacheStore(CacheKind::CompileResult, Key, Bytes);
    std::optional<std::string> Found = cacheLoad(CacheKind::CompileResult, Key);
    fuzz::demand(Found && *Found == Bytes, "an entry is what was stored");
    CompileResult Made;
    Manifest Read;
    if (fromBytes(*Found, Made))
      readManifest(Made.Manifest, Read);
  } else {
    cacheStore(CacheKind::Recipe, hashOf(Bytes), Bytes);
    if (std::optional<BuildRecipe> How = recipeOfBinary(Bytes))
      optionsForTwin(*How, false);
  }
  empty();
  return 0;
}
