//===- tools/doctor/chipstar.h - the runtime for CUDA and HIP ---*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_DOCTOR_CHIPSTAR_H
#define WARPSAN_TOOLS_DOCTOR_CHIPSTAR_H

#include <string>

namespace warpsan {

/// A sentence: where chipStar is and whether it works here, or that there is
/// none.
std::string chipStarReport();

} // namespace warpsan

#endif // WARPSAN_TOOLS_DOCTOR_CHIPSTAR_H
