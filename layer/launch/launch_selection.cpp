//===- layer/launch/launch_selection.cpp - launches that kernels=,
// skip_kernels= and sample= select ---------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/launch_selection.h"

#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "layer/twin/build.h"
#include "text/patterns.h"

using namespace warpsan;

bool warpsan::choosesKernels() {
  return !settings().kernels.empty() || !settings().skip_kernels.empty();
}

/// Which of \p Patterns means \p Kernel; null: none.
static const std::string *firstMatch(const std::vector<std::string> &Patterns,
                                     const std::string &Kernel) {
  for (const std::string &Pattern : Patterns)
    if (matchesKernel(Pattern, Kernel))
      return &Pattern;
  return nullptr;
}

static std::string excludingOption(const std::string &Kernel) {
  static const auto &Wanted =
      noDestructor<std::vector<std::string>>(patternsIn(settings().kernels));
  static const auto &Skipped = noDestructor<std::vector<std::string>>(
      patternsIn(settings().skip_kernels));
  if (!Wanted.empty() && !firstMatch(Wanted, Kernel))
    return "kernels=" + settings().kernels;
  if (const std::string *Pattern = firstMatch(Skipped, Kernel))
    return "skip_kernels=" + *Pattern;
  return {};
}

LaunchSelection::LaunchSelection(std::string Of)
    : Name(std::move(Of)),
      ExcludedBy(choosesKernels() ? excludingOption(Name) : ""),
      OneIn(static_cast<uint64_t>(settings().sample)) {}

/// False if the copy of a twin must see what a launch does to variables of its
/// program.
bool LaunchSelection::mayBeNative(Build &From, cl_command_queue Queue) {
  const cl_device_id Device = deviceOf(Queue);

  if (Device && From.on(Device).isPinned()) {
    if (!From.on(Device).countsTwinsCopy())
      return true;
    noteForced();
    return false;
  }
  if (!Device || UnmodifyingDevice.load(std::memory_order_relaxed) == Device)
    return true;
  const auto Twin = From.twin(Device, {variantFor(/*Pointers=*/false)});
  if (Twin->Description.MutableGlobals) {
    noteForced();
    return false;
  }
  auto Plan = Twin->Description.Kernels.find(Name);
  if (Plan != Twin->Description.Kernels.end() && Plan->second.Setter)
    return false;
  UnmodifyingDevice.store(Device, std::memory_order_relaxed);
  return true;
}

LaunchDecision LaunchSelection::next(Build &From, cl_command_queue Queue) {
  if (!From.hasWanted())
    return LaunchDecision::Excluded;
  if (isOfRuntime())
    return LaunchDecision::Checked;
  if (!ExcludedBy.empty())
    return mayBeNative(From, Queue) ? LaunchDecision::Excluded
                                    : LaunchDecision::Checked;
  if (OneIn == 1 ||
      Launches.fetch_add(1, std::memory_order_relaxed) % OneIn == 0)
    return LaunchDecision::Checked;
  return mayBeNative(From, Queue) ? LaunchDecision::SampledOut
                                  : LaunchDecision::Checked;
}

void LaunchSelection::noteForced() {
  std::call_once(ForcedOnce, [&] {
    Forced = noteGap("kernel " + Name,
                     ExcludedBy.empty() ? "sample=" + std::to_string(OneIn)
                                        : ExcludedBy,
                     GapKind::Forced);
  });
  Forced->Launches.fetch_add(1, std::memory_order_relaxed);
}

void LaunchSelection::noteExcluded() {
  std::call_once(ExcludedOnce, [&] {
    addCount(Counter::kernels_launched);
    addCount(Counter::kernels_excluded);
    Excluded = noteGap("kernel " + Name, ExcludedBy, GapKind::Excluded);
  });
  addCount(Counter::launches);
  addCount(Counter::launches_excluded);
  Excluded->Launches.fetch_add(1, std::memory_order_relaxed);
}

void LaunchSelection::noteSampledOut() {
  addCount(Counter::launches);
  addCount(Counter::launches_sampled_out);
}
