//===- test/trust/small/machine.h - runs a case on all its values ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter of proof/expression.h that shares no code with proof/. Values
// are bits, as LLVM's Language Reference defines the instructions; loops are
// executed iteration by iteration; every work-item and every combination of the
// values that leaves may have is tried.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_SMALL_MACHINE_H
#define WARPSAN_TEST_TRUST_SMALL_MACHINE_H

#include "case.h"

namespace trust {

/// What one claim of a case touches, over the whole launch.
struct Touched {
  bool Any = false;         ///< an access is performed
  bool Poison = false;      ///< its offset is, where it may be performed
  int64_t Min = 0, Max = 0; ///< of the offset, if Any
  uint64_t LowBits = 0;     ///< all offsets, or-ed
};

/// By index of Claims::All. None if there are too many combinations.
std::optional<std::vector<Touched>> run(const Case &C);

} // namespace trust

#endif // WARPSAN_TEST_TRUST_SMALL_MACHINE_H
