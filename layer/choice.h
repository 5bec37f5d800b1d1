//===- layer/choice.h - which launches are to be checked ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels=, skip= and sample=: what they leave out runs natively, and costs
// next to nothing. A program and its twins each have their own copy of
// program-scope variables; where kernels change these, and one of them is
// checked, all are.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_CHOICE_H
#define WARPSAN_LAYER_CHOICE_H

#include "layer/driver.h"
#include "status/status.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace warpsan {

class Build;

/// Whether kernels= or skip= is given.
bool choosesKernels();

/// What is done with a launch.
enum class Choice : uint8_t {
  Checked,    ///< as far as it can be
  LeftOut,    ///< native: nobody wants its kernel checked
  SampledOut, ///< native: others of its kernel's are checked
};

/// Of a kernel of a build; lives as long as the build.
class KernelChoice {
public:
  explicit KernelChoice(std::string Name);

  /// What is done with its next launch, on \p Queue.
  Choice next(Build &From, cl_command_queue Queue);
  /// Counts a launch of Choice::LeftOut.
  void noteLeftOut();
  /// Counts one of Choice::SampledOut.
  static void noteSampledOut();

  /// It is not of the program's own, but of its CUDA or HIP runtime.
  bool isOfRuntime() const { return Name.starts_with("__chip_"); }
  /// It is to be checked. Such of the runtime is where others are.
  bool isWanted() const { return WhyNot.empty() && !isOfRuntime(); }

  const std::string Name;

private:
  bool mayBeNative(Build &From, cl_command_queue Queue);
  void noteKept();

  const std::string WhyNot; ///< which option leaves it out; empty: none
  const uint64_t OneIn;     ///< so many launches is checked
  std::atomic<uint64_t> Launches = 0; ///< counted if OneIn is not 1
  /// On this device its native launches are found to change no result.
  std::atomic<cl_device_id> Harmless = nullptr;
  std::once_flag KeptOnce, LeftOutOnce;
  Gap *Kept = nullptr;    ///< since KeptOnce
  Gap *LeftOut = nullptr; ///< since LeftOutOnce
};

} // namespace warpsan

#endif // WARPSAN_LAYER_CHOICE_H
