//===- layer/findings/command_races.h - a race of commands as a finding ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_COMMAND_RACES_H
#define WARPSAN_LAYER_FINDINGS_COMMAND_RACES_H

#include "diagnose/finding.h"
#include "layer/order/command_access.h"

namespace warpsan {

/// All but where the later command was enqueued and the memory made. Takes
/// milliseconds the first time; call it without a lock.
Finding findingOf(const CommandRace &Race);

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_COMMAND_RACES_H
