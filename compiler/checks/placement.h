//===- compiler/checks/placement.h - where a kernel's checks go -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_PLACEMENT_H
#define WARPSAN_COMPILER_CHECKS_PLACEMENT_H

#include "compiler/checks/scheme.h"

#include <vector>

namespace warpsan {

/// Plans the checks of \p Accesses by \p Rules and inserts them into the kernel
/// of \p Parts: an access whose check fails is reported and, if
/// Check::Stops, skipped. \p Accesses are all accesses of the kernel, in its
/// order; Made.Sites has one entry each.
void placeChecks(const KernelParts &Parts, Scheme &Rules,
                 const std::vector<Access> &Accesses);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_PLACEMENT_H
