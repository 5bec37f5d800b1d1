//===- proof/text.h - a kernel's arithmetic as people write it ------------===//
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

/// \p Node of \p Of as somebody would write it.
std::string nodeText(const Claims &Of, uint32_t Node,
                     const std::vector<std::string> &ArgNames);

/// \p C, a condition of \p Of, without its outer ones.
std::string conditionText(const Claims &Of, const Condition &C,
                          const std::vector<std::string> &ArgNames);

} // namespace warpsan

#endif // WARPSAN_PROOF_TEXT_H
