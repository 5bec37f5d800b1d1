//===- layer/twin/content_hash.h - 128-bit content hashes -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_CONTENT_HASH_H
#define WARPSAN_LAYER_TWIN_CONTENT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace warpsan {

/// XXH3, 128 bits. Not cryptographic: it names files in a directory that only
/// the user can write, it does not defend against a forger.
struct ContentHash {
  uint64_t Low = 0;
  uint64_t High = 0;
  bool operator==(const ContentHash &) const = default;
  auto operator<=>(const ContentHash &) const = default;
  std::string hex() const;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Low);
    Ar.field(High);
  }
};

ContentHash hashOf(std::string_view Bytes);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_CONTENT_HASH_H
