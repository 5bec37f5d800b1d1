//===- layer/schemes/schemes.h - launches as another scheme would have
// them -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option scheme= runs programs under the mechanism of a paper instead of
// WarpSan's own, for comparison (docs/explanation/schemes.md).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SCHEMES_SCHEMES_H
#define WARPSAN_LAYER_SCHEMES_SCHEMES_H

#include "layer/objects/objects.h"
#include "schemes/host.h"

#include <cstdint>
#include <string>

namespace warpsan {

/// The host's half of what scheme= names; null: WarpSan's own, or canaries.
HostScheme *otherScheme();
/// The name of it, for the compiler; empty: WarpSan's own.
const std::string &otherSchemeName();

/// Native launches only, and canaries behind all memory: scheme=canaries.
bool onlyCanaries();

/// Memory is made, and freed by the application: so it is in the scheme, if
/// there is another one.
void placeInScheme(const Memory &M);
void freeInScheme(const Memory &M);

/// Where the scheme's allocator has put \p M. There must be another scheme.
uint64_t addressInScheme(const Memory &M);

/// Another one with each call.
uint64_t nextSecret();

} // namespace warpsan

#endif // WARPSAN_LAYER_SCHEMES_SCHEMES_H
