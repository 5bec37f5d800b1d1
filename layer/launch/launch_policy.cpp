//===- layer/choice.cpp - which launches are to be checked ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/choice.h"

#include "layer/build.h"
#include "layer/settings.h"
#include "layer/tally.h"
#include "words/patterns.h"

using namespace warpsan;

bool warpsan::choosesKernels() {
  return !settings().kernels.empty() || !settings().skip.empty();
}

/// Which of \p Patterns means \p Kernel; null: none.
static const std::string *firstMatch(const std::vector<std::string> &Patterns,
                                     const std::string &Kernel) {
  for (const std::string &Pattern : Patterns)
    if (matchesKernel(Pattern, Kernel))
      return &Pattern;
  return nullptr;
}

static std::string whyNot(const std::string &Kernel) {
  // Never destroyed, as the settings.
  static const auto &Wanted =
      *new std::vector<std::string>(patternsIn(settings().kernels));
  static const auto &Skipped =
      *new std::vector<std::string>(patternsIn(settings().skip));
  if (!Wanted.empty() && !firstMatch(Wanted, Kernel))
    return "kernels=" + settings().kernels;
  if (const std::string *Pattern = firstMatch(Skipped, Kernel))
    return "skip=" + *Pattern;
  return {};
}

KernelChoice::KernelChoice(std::string Of)
    : Name(std::move(Of)), WhyNot(choosesKernels() ? whyNot(Name) : ""),
      OneIn(static_cast<uint64_t>(settings().sample)) {}

/// False if the copy of a twin must see what a launch does to variables of its
/// program.
bool KernelChoice::mayBeNative(Build &From, cl_command_queue Queue) {
  const cl_device_id Device = deviceOf(Queue);

  if (Device && From.on(Device).isPinned()) {
    if (!From.on(Device).countsTwinsCopy())
      return true;
    noteKept();
    return false;
  }
  if (!Device || Harmless.load(std::memory_order_relaxed) == Device)
    return true;
  const auto Twin = From.twin(Device, {variantFor(/*Pointers=*/false)});
  if (Twin->Description.MutableGlobals) {
    noteKept();
    return false;
  }
  auto Plan = Twin->Description.Kernels.find(Name);
  if (Plan != Twin->Description.Kernels.end() && Plan->second.Setter)
    return false;
  Harmless.store(Device, std::memory_order_relaxed);
  return true;
}

Choice KernelChoice::next(Build &From, cl_command_queue Queue) {
  if (!From.hasWanted())
    return Choice::LeftOut;
  if (isOfRuntime())
    return Choice::Checked;
  if (!WhyNot.empty())
    return mayBeNative(From, Queue) ? Choice::LeftOut : Choice::Checked;
  if (OneIn == 1 ||
      Launches.fetch_add(1, std::memory_order_relaxed) % OneIn == 0)
    return Choice::Checked;
  return mayBeNative(From, Queue) ? Choice::SampledOut : Choice::Checked;
}

void KernelChoice::noteKept() {
  std::call_once(KeptOnce, [&] {
    Kept = noteGap("kernel " + Name,
                   WhyNot.empty() ? "sample=" + std::to_string(OneIn) : WhyNot,
                   GapKind::Kept);
  });
  Kept->Launches.fetch_add(1, std::memory_order_relaxed);
}

void KernelChoice::noteLeftOut() {
  std::call_once(LeftOutOnce, [&] {
    tally(Counter::kernels_launched);
    tally(Counter::kernels_left_out);
    LeftOut = noteGap("kernel " + Name, WhyNot, GapKind::LeftOut);
  });
  tally(Counter::launches);
  tally(Counter::launches_left_out);
  LeftOut->Launches.fetch_add(1, std::memory_order_relaxed);
}

void KernelChoice::noteSampledOut() {
  tally(Counter::launches);
  tally(Counter::launches_sampled_out);
}
