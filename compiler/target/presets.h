//===- compiler/target/presets.h - devices that warpsan-clc knows by name -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_PRESETS_H
#define WARPSAN_COMPILER_TARGET_PRESETS_H

#include "job/job.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace warpsan {

/// "pocl", "rusticl", "intel" (as these drivers answered queries) or "generic"
/// (the least that takes SPIR-V). For tests and for people; the layer asks the
/// real device.
std::optional<DeviceInfo> presetDevice(llvm::StringRef Name);

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_PRESETS_H
