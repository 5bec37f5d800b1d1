//===- test/trust/small/check.h - what is proven against what is touched --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_SMALL_CHECK_H
#define WARPSAN_TEST_TRUST_SMALL_CHECK_H

#include "case.h"

namespace trust {

/// Of all cases until now.
struct Counts {
  unsigned Cases = 0, Claims = 0;
  unsigned Exact = 0; ///< claims whose range is the true one
  unsigned Held = 0;  ///< claims proven with memory of just the right size
  unsigned Poisoned = 0;
  unsigned TooLarge = 0; ///< cases with too many combinations
};

/// Runs \p C, and has its claims proven: with memory of just the size that is
/// touched, with one byte less, with more than enough, and with alignments. The
/// reason why something that was proven is wrong; empty if nothing is.
std::string check(const Case &C, Counts &To);

} // namespace trust

#endif // WARPSAN_TEST_TRUST_SMALL_CHECK_H
