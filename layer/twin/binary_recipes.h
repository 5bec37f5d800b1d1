//===- layer/twin/binary_recipes.h - which recipe a program's binary was made
// from -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs read their binaries back, keep them in caches of their own and
// build from them later (hashcat, darktable, tinygrad). The application gets
// the driver's own bytes, unchanged, so that its cache stays good without
// WarpSan. Beside it, under the hash of those bytes, we keep the recipe.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_BINARY_RECIPES_H
#define WARPSAN_LAYER_TWIN_BINARY_RECIPES_H

#include "job/job.h"

#include <optional>
#include <string_view>

namespace warpsan {

void noteBinary(std::string_view Binary, const BuildRecipe &Recipe);
std::optional<BuildRecipe> recipeOfBinary(std::string_view Binary);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_BINARY_RECIPES_H
