//===- diagnose/hits.h - which part of an NDRange failed --------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_DIAGNOSE_HITS_H
#define WARPSAN_DIAGNOSE_HITS_H

#include "diagnose/finding.h"

namespace warpsan {

/// What the twin is passed of launch \p Number with \p Global work-items:
/// abi/launch.h.
uint64_t launchWord(uint64_t Number, const std::array<uint64_t, 3> &Global);

/// What the work-items of a launch marked in \p Record; null if it is nothing,
/// or a cell that the launch does not have: then nothing of it is true.
std::optional<HitMap> hitsOf(const WsRecord &Record, const LaunchInfo &Launch);

} // namespace warpsan

#endif // WARPSAN_DIAGNOSE_HITS_H
