//===- compiler/checks/access_kinds.h - what an access does to others -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_ACCESS_KINDS_H
#define WARPSAN_COMPILER_CHECKS_ACCESS_KINDS_H

#include "compiler/checks/accesses.h"

#include <cstdint>

namespace warpsan {

/// WS_RACE_READ and its like (abi/races.h).
uint32_t raceKindOf(const Access &A);

/// What an access of kind \p Kind is to work-items that its scope excludes.
uint32_t notAtomic(uint32_t Kind);

/// True if \p A is to the expected value of a compare-exchange of OpenCL C 2.0,
/// which is read, and written if it was another one.
bool isExpected(const Access &A);

/// True if \p A is a store of the same bytes whenever it is executed, which no
/// other execution of it overlaps in part.
bool storesConstant(const Access &A);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_ACCESS_KINDS_H
