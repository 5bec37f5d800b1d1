//===- test/trust/small/rules.h - every operator and rule, by enumeration -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_SMALL_RULES_H
#define WARPSAN_TEST_TRUST_SMALL_RULES_H

#include "case.h"

#include <functional>

namespace trust {

/// Gets every case of a rule, made by the function it is given if it wants it.
using Visitor = std::function<void(const std::function<Case()> &)>;

struct Rule {
  const char *Name;
  void (*All)(const Visitor &);
};

/// Every operator of proof/ops.def with operands of every kind, every kind of
/// condition, loop and id.
const std::vector<Rule> &rules();

} // namespace trust

#endif // WARPSAN_TEST_TRUST_SMALL_RULES_H
