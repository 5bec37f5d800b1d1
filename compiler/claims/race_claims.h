//===- compiler/claims/race_claims.h - accesses that may race -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_RACE_CLAIMS_H
#define WARPSAN_COMPILER_CLAIMS_RACE_CLAIMS_H

#include "compiler/checks/scheme.h"
#include "compiler/claims/expression_builder.h"
#include "compiler/pointers/provenance.h"
#include "proof/races/race_claims.h"

#include <vector>

namespace warpsan {

/// Describes every access of a kernel to memory that work-items share, so that
/// a launch can prove that none races. \p Accesses are all of the kernel; \p
/// Numbers gets their offsets and conditions. The kernel gets instructions that
/// compute offsets, but no blocks.
RaceClaims raceClaimsOf(const KernelParts &Parts, Provenance &Where,
                        ExpressionBuilder &Numbers,
                        const std::vector<Access> &Accesses);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_RACE_CLAIMS_H
