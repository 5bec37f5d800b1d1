//===- test/trust/small/random_case.h - kernels made by chance ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_SMALL_RANDOM_CASE_H
#define WARPSAN_TEST_TRUST_SMALL_RANDOM_CASE_H

#include "case.h"

namespace trust {

struct Wish {
  unsigned Width = 4;  ///< bits of most nodes
  unsigned Steps = 6;  ///< calculations and conditions, per part of the kernel
  unsigned Loops = 1;  ///< at most 2
  unsigned Leaves = 2; ///< opaque and loaded values and joins, at most
};

/// The same for the same \p Seed.
Case randomCase(uint64_t Seed, const Wish &Wanted);

} // namespace trust

#endif // WARPSAN_TEST_TRUST_SMALL_RANDOM_CASE_H
