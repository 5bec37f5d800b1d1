//===- diagnose/suppressions.h - findings that are known ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One suppression a line, words of key=pattern that all must match, and a
// comment:
//
//   kind=out_of_bounds_read kernel=Copy* source=*/common.cl  # bug 1234
//   id=ws-3f9c212d7f1633a7
//
// docs/how-to/select-suppress.md says what the keys mean.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_DIAGNOSE_SUPPRESSIONS_H
#define WARPSAN_DIAGNOSE_SUPPRESSIONS_H

#include "diagnose/finding.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsan {

struct Suppression {
  enum class Key : uint8_t { Id, Kind, Kernel, Source, Buffer, Call };
  uint32_t Line = 0; ///< in its file, from 1
  std::string Text;  ///< the line without comment and outer spaces
  std::vector<std::pair<Key, std::string>> Words; ///< patterns; at least one

  bool matches(const Finding &F) const;
};

struct Suppressions {
  /// In the order of the file: the first that matches counts.
  std::vector<Suppression> All;
  /// What is wrong, a sentence each: "FILE:7: there is no key 'kernal'...".
  std::vector<std::string> Problems;

  const Suppression *find(const Finding &F) const;
};

/// \p File is its name, for problems.
Suppressions parseSuppressions(std::string_view Text, const std::string &File);

/// Reads \p File; one that cannot be read is a problem too. An empty name:
/// none.
Suppressions readSuppressions(const std::string &File);

} // namespace warpsan

#endif // WARPSAN_DIAGNOSE_SUPPRESSIONS_H
