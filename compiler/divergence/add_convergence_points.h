//===- compiler/divergence/add_convergence_points.h - per region ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_ADD_CONVERGENCE_POINTS_H
#define WARPSAN_COMPILER_DIVERGENCE_ADD_CONVERGENCE_POINTS_H

#include "compiler/checks/checked_twin.h"
#include "compiler/checks/report_call.h"

namespace warpsan {

struct DriverProfile;

/// Gives \p Made, which has all its other checks, a convergence point for
/// each region in which a work-group may diverge, and describes its collective
/// calls and branches in Made.Divergence. Numbers of checks: abi/record.h.
void addConvergencePoints(CheckedTwin &Made, const DeviceRuntime &Runtime,
                          const DriverProfile &Profile, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_ADD_CONVERGENCE_POINTS_H
