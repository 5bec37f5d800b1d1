//===- layer/launch/unjudged_races.cpp - why races are not looked for -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/unjudged_races.h"

#include "layer/objects/driver_quirks.h"

#include <algorithm>

using namespace warpsan;

std::string warpsan::whyNotWatched(const NDRange &Range, const Device &On) {
  const size_t *Size = Range.Local ? Range.Local : Range.Global;
  if (!quirksOf(On.Info.Platform).RepeatsFirstItem || Range.Dimensions < 2 ||
      Range.Dimensions > 3 || !Size || Size[0] != 1)
    return {};
  const bool HasMore = std::any_of(Size + 1, Size + Range.Dimensions,
                                   [](size_t Each) { return Each != 1; });
  return HasMore
             ? "the driver may execute code of a work-item twice, since its "
               "work-groups are 1 wide in x"
             : "";
}

std::string warpsan::whyRacesUnjudged(const TwinPool &Pool,
                                      const TwinInstance &Instance) {
  const KernelPlan &Plan = *Pool.Plan;
  if (!Pool.Which.Races || Pool.changesVariables())
    return "no twin watches for data races where objects are marked, commands "
           "are mutable or kernels change variables";
  if (!Plan.WatchesRaces)
    return Plan.WhyRacesUnjudged;
  if (Plan.WatchesGlobalMemory && Instance.Shadow.First.empty())
    return "global memory is not watched in recorded commands, nor in queues "
           "whose creation was not seen";
  return Instance.Shadow.WhyNotAll;
}
