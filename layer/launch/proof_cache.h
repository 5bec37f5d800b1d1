//===- layer/launch/proof_cache.h - what a launch proves, remembered ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_PROOF_CACHE_H
#define WARPSAN_LAYER_LAUNCH_PROOF_CACHE_H

#include "layer/launch/index_ranges.h"
#include "layer/objects/kernel_args.h"
#include "layer/objects/launch_log.h"
#include "layer/twin/manifest.h"
#include "proof/prove.h"
#include "proof/races/certain_accesses.h"
#include "proof/races/races.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpsan {

/// What a launch proves.
struct ProofResult {
  bool Holds = false; ///< every claim that does not depend on buffer contents
  /// Accesses that are to be checked all the same, by number; none if the
  /// native kernel suffices.
  std::vector<uint32_t> Left;
  /// A barrier may not be reached by whole work-groups: nothing holds, and
  /// every access is to be checked.
  bool MayDiverge = false;
  /// Accesses that may race with one, by number. None: any may, since the twin
  /// does not describe them.
  std::optional<std::vector<uint32_t>> Racing;
  /// Bytes that the launch certainly accesses, if the twin describes them.
  std::vector<CertainAccess> Certain;

  bool isRaceFree() const { return Racing && Racing->empty(); }
};

/// What launches of one kernel prove of its lean twin's claims, by what decides
/// it: the NDRange, the sizes of memory, the scalars that are calculated with,
/// what buffers contain, and for races which arguments share memory.
class ProofCache {
public:
  explicit ProofCache(const KernelPlan &Plan) : Plan(Plan) {}

  /// \p Contents: null if nothing is known of them. \p Certain: wants
  /// ProofResult::Certain, which is empty otherwise.
  std::shared_ptr<const ProofResult> decide(KernelArgs &Args,
                                            const NDRange &Range,
                                            const IndexRangesUsed *Contents,
                                            bool Certain = false);

private:
  /// \p Launch: null if proofs know nothing of such a launch. \p Places: by
  /// argument.
  ProofResult prove(const LaunchValues *Launch,
                    std::span<const ArgPlace> Places, bool Certain) const;

  const KernelPlan &Plan;
  std::mutex Mutex;
  std::unordered_map<std::string, std::shared_ptr<const ProofResult>>
      Cache; ///< under Mutex
};

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_PROOF_CACHE_H
