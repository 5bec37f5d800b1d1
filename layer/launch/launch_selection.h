//===- layer/launch/launch_selection.h - launches that kernels=,
// skip_kernels= and sample= select ---------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and launches that these options exclude run natively, and cost next
// to nothing. A program and its twins each have their own copy of
// program-scope variables; where kernels change these, and one of them is
// checked, all are.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_LAUNCH_SELECTION_H
#define WARPSAN_LAYER_LAUNCH_LAUNCH_SELECTION_H

#include "layer/objects/driver.h"
#include "status/status.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace warpsan {

class Build;

/// Whether kernels= or skip_kernels= is given.
bool choosesKernels();

/// Whether a launch is to be checked.
enum class LaunchDecision : uint8_t {
  Checked,    ///< as far as it can be
  Excluded,   ///< native: kernels= or skip_kernels= excludes its kernel
  SampledOut, ///< native: sample= checks other launches of its kernel
};

/// What is counted of a kernel, over all kernel objects of its name.
struct KernelCounts {
  std::mutex Mutex; ///< guards all below
  bool Created = false, Launched = false, AlwaysCovered = false;
  bool Entirely = false; ///< every access was proven in the last launch
  /// Of its accesses, as it was in the last launch.
  uint64_t Checked = 0, Proven = 0, Untraced = 0;
};

/// Of a kernel of a build; lives as long as the build.
class LaunchSelection {
public:
  explicit LaunchSelection(std::string Name);

  /// What is done with its next launch, on \p Queue.
  LaunchDecision next(Build &From, cl_command_queue Queue);
  /// Counts a launch of LaunchDecision::Excluded.
  void noteExcluded();
  /// Counts one of LaunchDecision::SampledOut.
  static void noteSampledOut();

  /// It is not of the program's own, but of its CUDA or HIP runtime.
  bool isOfRuntime() const { return Name.starts_with("__chip_"); }
  /// It is to be checked. Such of the runtime is where others are.
  bool isWanted() const { return ExcludedBy.empty() && !isOfRuntime(); }

  const std::string Name;
  KernelCounts Counts;

private:
  bool mayBeNative(Build &From, cl_command_queue Queue);
  void noteForced();

  const std::string ExcludedBy; ///< the option that excludes it; empty: none
  const uint64_t OneIn;         ///< so many launches is checked
  std::atomic<uint64_t> Launches = 0; ///< counted if OneIn is not 1
  /// Device on which native launches modify no program-scope variable.
  std::atomic<cl_device_id> UnmodifyingDevice = nullptr;
  std::once_flag ForcedOnce, ExcludedOnce;
  Gap *Forced = nullptr;   ///< since ForcedOnce
  Gap *Excluded = nullptr; ///< since ExcludedOnce
};

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_LAUNCH_SELECTION_H
