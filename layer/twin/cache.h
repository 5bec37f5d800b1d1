//===- layer/twin/cache.h - what was compiled before, on disk -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Content-addressed files. A file is complete or absent (written aside, then
// renamed), carries its own key and checksum, and is never trusted: anything
// that does not fit is a miss, and is written anew. Every failure here is a
// miss too; the program never notices.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_CACHE_H
#define WARPSAN_LAYER_TWIN_CACHE_H

#include "layer/twin/content_hash.h"

#include <optional>
#include <string>

namespace warpsan {

/// What kinds of files there are; the name is the file's ending.
enum class CacheKind { CompileResult, Recipe, Binary };

std::optional<std::string> cacheLoad(CacheKind Kind, const ContentHash &Key);
void cacheStore(CacheKind Kind, const ContentHash &Key,
                const std::string &Content);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_CACHE_H
