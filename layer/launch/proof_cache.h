//===- layer/verdicts.h - what a launch proves, remembered ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_VERDICTS_H
#define WARPSAN_LAYER_VERDICTS_H

#include "layer/contents.h"
#include "layer/kernel_args.h"
#include "layer/launch_log.h"
#include "layer/manifest.h"
#include "proof/prove.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpsan {

/// What a launch proves.
struct Outcome {
  bool Holds = false; ///< all that is claimed without looking at contents
  /// Accesses that are to be checked all the same, by number; none if the
  /// driver's own kernel will do.
  std::vector<uint32_t> Left;
  /// A barrier may not be reached by whole work-groups: nothing holds, and
  /// every access is to be checked.
  bool MayDiverge = false;
};

/// What launches of one kernel prove of its lean twin's claims, by what decides
/// it: the NDRange, the sizes of memory, the scalars that are calculated with,
/// and what buffers contain.
class Verdicts {
public:
  explicit Verdicts(const KernelPlan &Plan) : Plan(Plan) {}

  /// \p Contents: null if nothing is known of them.
  std::shared_ptr<const Outcome> decide(KernelArgs &Args, const NDRange &Range,
                                        const ContentsUsed *Contents);

private:
  /// \p Launch: null if proofs know nothing of such a launch.
  Outcome prove(const LaunchValues *Launch) const;

  const KernelPlan &Plan;
  std::mutex Mutex;
  std::unordered_map<std::string, std::shared_ptr<const Outcome>>
      Known; ///< under Mutex
};

} // namespace warpsan

#endif // WARPSAN_LAYER_VERDICTS_H
