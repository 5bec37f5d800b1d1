//===- proof/text.h - proof expressions as text ---------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_TEXT_H
#define WARPSAN_PROOF_TEXT_H

#include "proof/expression.h"

#include <string>
#include <vector>

namespace warpsan {

/// \p Node of \p Kernel as a source-like expression, for messages.
std::string nodeText(const Claims &Kernel, uint32_t Node,
                     const std::vector<std::string> &ArgNames);

/// The comparison of \p C, a condition of \p Kernel, without its outer
/// conditions.
std::string conditionText(const Claims &Kernel, const Condition &C,
                          const std::vector<std::string> &ArgNames);

} // namespace warpsan

#endif // WARPSAN_PROOF_TEXT_H
