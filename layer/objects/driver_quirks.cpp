//===- layer/objects/driver_quirks.cpp - drivers that differ from the others
// -----------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/driver_quirks.h"

#include <algorithm>
#include <iterator>

using namespace warpsan;

static constexpr DriverQuirks Quirks[] = {
    // PoCL starts llvm-spirv for every clCreateProgramWithIL, 20 ms, to look
    // for specialization constants, even if it has the program in its own
    // cache. Given the same SPIR-V as a binary it looks into that cache at
    // once.
    {.Platform = "Portable Computing Language",
     .BuildFlagsVariable = "POCL_EXTRA_BUILD_FLAGS",
     .BuildsForWholeDevice = true,
     .AcceptsCachedSpirV = true,
     .RepeatsFirstItem = true},
    {.Platform = "Intel", .NeedsBinaryCache = true, .BuildsSpirvAlone = true},
    {.Platform = "rusticl", .ImagesIgnoreOrigin = true},
};

const DriverQuirks &warpsan::quirksOf(std::string_view Platform) {
  static constexpr DriverQuirks None;
  const auto *Found =
      std::ranges::find_if(Quirks, [&](const DriverQuirks &Each) {
        return Platform.find(Each.Platform) != Platform.npos;
      });
  return Found == std::end(Quirks) ? None : *Found;
}
