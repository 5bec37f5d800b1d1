//===- test/robustness/fuzz_targets/demand.h - what must hold -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the input was, what is written for people and for programs must be
// what it claims to be. A demand that does not hold ends the target as a crash
// does.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_DEMAND_H
#define WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_DEMAND_H

#include "diagnose/finding.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);

namespace warpsan::fuzz {

/// \p About is printed if it does not hold.
void demand(bool Holds, const char *What, std::string_view About = {});

/// UTF-8 with nothing in it that a terminal obeys but line breaks.
void demandPlain(std::string_view Text);
void demandPlain(const std::vector<std::string> &Texts);

void demandJson(std::string_view Text);
/// A JSON value on each line.
void demandJsonLines(std::string_view Text);

/// Elements that are closed in order, attributes in quotes, nothing else that
/// looks like markup.
void demandXml(std::string_view Text);
/// The same of a page, which has one script and one style sheet, asks for
/// nothing and has no handlers of events.
void demandHtml(std::string_view Text);

/// Every form that one finding is told in.
void demandTold(const Finding &F);

inline std::string_view textOf(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

} // namespace warpsan::fuzz

#endif // WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_DEMAND_H
