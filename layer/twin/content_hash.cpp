//===- layer/twin/content_hash.cpp - 128-bit content hashes ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/content_hash.h"

#include <cstdio>

// Inlined, so that the layer brings no shared library into the application.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace warpsan;

std::string ContentHash::hex() const {
  char Text[33];
  std::snprintf(Text, sizeof(Text), "%016llx%016llx",
                static_cast<unsigned long long>(High),
                static_cast<unsigned long long>(Low));
  return Text;
}

ContentHash warpsan::hashOf(std::string_view Bytes) {
  XXH128_hash_t Hash = XXH3_128bits(Bytes.data(), Bytes.size());
  return {Hash.low64, Hash.high64};
}
