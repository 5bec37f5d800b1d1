//===- layer/twin/binary_recipes.cpp - which recipe a program's binary was made
// from -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/binary_recipes.h"

#include "layer/process/no_destructor.h"
#include "layer/twin/cache.h"

#include <map>
#include <mutex>

using namespace warpsan;

// Notes of this process stay in memory: they must serve even where there is no
// cache.
static std::mutex &Mutex = noDestructor<std::mutex>();
static auto &Notes = noDestructor<std::map<ContentHash, std::string>>();

namespace {
/// What is kept on disk: a recipe and the version of its form.
struct Note {
  uint32_t Version = JobVersion;
  BuildRecipe Recipe;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Version);
    Ar.field(Recipe);
  }
};
} // namespace

void warpsan::noteBinary(std::string_view Binary, const BuildRecipe &Recipe) {
  const ContentHash Key = hashOf(Binary);
  std::string Bytes = toBytes(Note{JobVersion, Recipe});
  {
    std::lock_guard Lock(Mutex);
    std::string &Known = Notes[Key];
    if (Known == Bytes)
      return;
    Known = Bytes;
  }
  cacheStore(CacheKind::Recipe, Key, Bytes);
}

std::optional<BuildRecipe> warpsan::recipeOfBinary(std::string_view Binary) {
  const ContentHash Key = hashOf(Binary);
  std::optional<std::string> Bytes;
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Notes.find(Key); It != Notes.end())
      Bytes = It->second;
  }
  if (!Bytes)
    Bytes = cacheLoad(CacheKind::Recipe, Key);
  Note Found;
  if (!Bytes || !fromBytes(*Bytes, Found) || Found.Version != JobVersion)
    return std::nullopt;
  return std::move(Found.Recipe);
}
