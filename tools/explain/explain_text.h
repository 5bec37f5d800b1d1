//===- tools/explain/explain_text.h - a kernel's accesses, in words -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_EXPLAIN_EXPLAIN_TEXT_H
#define WARPSAN_TOOLS_EXPLAIN_EXPLAIN_TEXT_H

#include "layer/twin/manifest.h"
#include "proof/prove.h"
#include "proof/races/races.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpsan {

/// What is to be explained: a kernel of a `lean` or `lean-races` manifest.
struct ExplainedKernel {
  const nlohmann::json &Manifest; ///< the whole
  const nlohmann::json &Kernel;
  const KernelPlan &Plan;
  /// Of each claim, for one launch; empty: no launch was described.
  std::vector<Verdict> Verdicts, VerdictsByContents;
  const LaunchValues *Launch = nullptr;
  bool AsksRaces = false; ///< --races
  /// If so, accesses that may race in that launch.
  std::vector<PossibleRace> Races = {};
};

/// A line for each access, and what a launch would run.
std::string explain(const ExplainedKernel &K);

} // namespace warpsan

#endif // WARPSAN_TOOLS_EXPLAIN_EXPLAIN_TEXT_H
