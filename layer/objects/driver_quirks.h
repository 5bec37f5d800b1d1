//===- layer/objects/driver_quirks.h - drivers that differ from the others ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that the layer does differently for some driver. What the compiler does
// is in compiler/target/driver_profiles.h.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_DRIVER_QUIRKS_H
#define WARPSAN_LAYER_OBJECTS_DRIVER_QUIRKS_H

#include <string_view>

namespace warpsan {

struct DriverQuirks {
  /// CL_PLATFORM_NAME contains this.
  std::string_view Platform = {};
  /// Environment variable that the driver reads at every build and appends to
  /// the build options. Null: none.
  const char *BuildFlagsVariable = nullptr;
  /// Programs are built for whole devices: a sub-device has the last build for
  /// any part of its device.
  bool BuildsForWholeDevice = false;
  /// clCreateProgramWithBinary accepts SPIR-V that the driver has in its cache,
  /// and fails quickly for other SPIR-V.
  bool AcceptsCachedSpirV = false;
  /// The driver has no cache of its own, and takes seconds to compile the twin
  /// of a large kernel: the layer caches its binaries.
  bool NeedsBinaryCache = false;
  /// Its compiler crashes when SPIR-V is built beside other builds.
  bool BuildsSpirvAlone = false;
  /// An image of a sub-buffer begins where the sub-buffer's parent does.
  bool ImagesIgnoreOrigin = false;
  /// The first work-item of a work-group that is 1 wide in x executes code
  /// between barriers twice if one of them is conditional.
  bool RepeatsFirstItem = false;
};

/// The quirks of the driver whose CL_PLATFORM_NAME is \p Platform.
const DriverQuirks &quirksOf(std::string_view Platform);

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_DRIVER_QUIRKS_H
