//===- layer/twin/build_options.h - which build options a twin is built
// with -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_BUILD_OPTIONS_H
#define WARPSAN_LAYER_TWIN_BUILD_OPTIONS_H

#include "job/job.h"

#include <string>

namespace warpsan {

/// The options of the application that mean something for SPIR-V: what the
/// driver's optimizer may assume, those of all units if they agree; and the
/// newest language version of any unit.
/// \p UniformGroups: the source's rule that the work-group size divides the
/// global size, which SPIR-V does not carry.
std::string optionsForTwin(const BuildRecipe &Recipe, bool UniformGroups);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_BUILD_OPTIONS_H
