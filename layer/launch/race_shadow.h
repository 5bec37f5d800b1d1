//===- layer/launch/race_shadow.h - shadow of global memory ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words by which twins find data races in global memory (abi/races.h). Each
// launch lays out the memory of its arguments in its queue's words: what other
// launches left there counts as nothing, since a word has a launch's number.
// Launches of one queue that run at the same time overwrite each other's words:
// then races are missed.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_RACE_SHADOW_H
#define WARPSAN_LAYER_LAUNCH_RACE_SHADOW_H

#include "layer/objects/objects.h"
#include "layer/svm/arg_bounds.h"
#include "layer/twin/manifest.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpsan {

/// Words that are 0 at first, on the device.
class ShadowWords {
public:
  /// Null: the driver has no memory for \p Count, or all shadows of \p On would
  /// take more than On.MaxAllocation.
  static std::shared_ptr<ShadowWords> make(Context &Of, const Device &On,
                                           uint64_t Count);
  ShadowWords(const ShadowWords &) = delete;
  ~ShadowWords();

  cl_mem handle() const { return Handle; }
  uint64_t count() const { return Count; }

private:
  ShadowWords(Context &Of, cl_mem Handle, uint64_t Count);
  const std::weak_ptr<Context> Owner;
  const cl_mem Handle;
  const uint64_t Count;
};

/// What a launch gets of them.
struct LaunchShadow {
  std::shared_ptr<const ShadowWords> Words; ///< null: none
  uint64_t Number = 0;                      ///< as a word has it
  /// By argument: the word of its memory's first byte, or WS_RACE_NO_SHADOW.
  std::vector<uint64_t> First;
  /// Why memory that the kernel writes has none; empty if all has.
  std::string WhyNotAll;
};

/// The words of one queue.
class RaceShadow {
public:
  /// For a launch of \p Plan's kernel on \p Device with arguments of \p Bounds.
  LaunchShadow next(Context &Of, const Device &On, const KernelPlan &Plan,
                    const std::vector<ArgBounds> &Bounds);

private:
  std::mutex Mutex;
  std::shared_ptr<ShadowWords> Words; ///< under Mutex, as all below
  uint64_t LastNumber = 0;            ///< of a launch that got Words
};

/// Null: races in global memory are not watched for on \p Queue.
std::shared_ptr<RaceShadow> shadowOf(cl_command_queue Queue);

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_RACE_SHADOW_H
