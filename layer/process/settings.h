//===- layer/process/settings.h - the options of this process, and where our
// files are --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_SETTINGS_H
#define WARPSAN_LAYER_PROCESS_SETTINGS_H

#include "options/options.h"

#include <cstdint>
#include <string>

namespace warpsan {

/// Reads WARPSAN_OPTIONS. What is wrong in it is said on stderr, once: `warpsan
/// run` has refused it before, so this is for a layer that was set by hand.
void readSettings();

const Options &settings();

/// True if twins are wanted at all.
bool wantTwins();

/// True if twins are to check their accesses.
bool wantChecks();
/// Data races are looked for; not with another scheme.
bool watchesRaces();

/// What on_error asks for.
enum class OnError : uint8_t { Continue, Halt, Trap };
OnError onError();

/// Path of warpsan-clc: the option, or beside this library.
const std::string &compilerPath();

/// Directory of the cache, made if need be; empty: no cache.
const std::string &cacheDirectory();

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_SETTINGS_H
