//===- layer/launch/index_ranges.h - what index buffers contain -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of b[idx[i]] it is enough to know the least and the greatest of idx, and of
// b[nodes[i].next] those of that member. Once they were wanted twice and the
// buffer did not change between, the device looks for them, in the
// application's queue and while it goes on; they are true until something is
// enqueued that may change the buffer. Only where the order of commands is
// plain: a context with one queue, which is in order.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_INDEX_RANGES_H
#define WARPSAN_LAYER_LAUNCH_INDEX_RANGES_H

#include "layer/objects/kernel_args.h"
#include "layer/objects/objects.h"
#include "layer/twin/manifest.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace warpsan {

/// Whether some launch wanted to know contents: since then changes are noted.
bool contentsAreFollowed();

/// Memory that a command may change, from before the driver is given the
/// command until after.
class Changes {
public:
  Changes() = default;
  Changes(const Changes &) = delete;
  Changes &operator=(const Changes &) = delete;
  ~Changes();

  void begin(std::shared_ptr<const Memory> Of);
  void begin(cl_mem Handle);
  /// What a launch of a kernel may change. \p Plan: null if nothing is known of
  /// it. \p Recorded: it may run any number of times.
  void begin(KernelArgs &Args, const KernelPlan *Plan, bool Recorded);

private:
  std::vector<std::shared_ptr<const Memory>> Of;
};

/// Somebody may change anything.
void everythingMayChange();
/// The same, from now on at any time.
void stopFollowingContents();
/// It may change at any time from now on: by a recorded command, or by its
/// address on the device.
void noteUnknowable(cl_mem Handle);

/// Contents that a launch's decision rests on.
class IndexRangesUsed {
public:
  struct One {
    std::shared_ptr<const Memory> Of; ///< null: these do not matter
    uint64_t At = 0;
    int64_t Min = 0, Max = 0;
  };

  /// Makes a kernel named so that measures, or null.
  using MakeKernel = std::function<cl_kernel(const std::string &Name)>;

  /// Looks at what \p Plan wants to know. False if nothing is known; what can
  /// be is being looked for then, in \p Queue.
  bool look(Kernel &K, const KernelPlan &Plan, cl_command_queue Queue,
            const MakeKernel &Make);
  /// True if all of it is what it was.
  bool stillTrue() const;

  /// By index of the plan's Claims::Contents.
  const std::vector<One> &all() const { return All; }

private:
  std::vector<One> All;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_INDEX_RANGES_H
