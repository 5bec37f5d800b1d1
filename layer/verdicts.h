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

#include <mutex>
#include <string>
#include <unordered_map>

namespace warpsan {

/// Whether all that one kernel's lean twin claims holds, by what decides it:
/// the NDRange, the sizes of memory, the scalars that are calculated with.
class Verdicts {
public:
  explicit Verdicts(const KernelPlan &Plan) : Plan(Plan) {}

  bool hold(KernelArgs &Args, const NDRange &Range);
  /// The same of what is claimed by contents, which are \p Known.
  bool holdByContents(KernelArgs &Args, const NDRange &Range,
                      const ContentsUsed &Known);

private:
  bool decide(KernelArgs &Args, const NDRange &Range,
              const ContentsUsed *Contents);

  const KernelPlan &Plan;
  std::mutex Mutex;
  std::unordered_map<std::string, bool> Known; ///< under Mutex
};

} // namespace warpsan

#endif // WARPSAN_LAYER_VERDICTS_H
