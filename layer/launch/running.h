//===- layer/launch/running.h - launches that are not known to have ended -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last launches are in the status file (StatusFile::Running), so that a
// crash can be reported with the kernels that may have caused it. What the
// application has waited for is taken out.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_RUNNING_H
#define WARPSAN_LAYER_LAUNCH_RUNNING_H

#include "layer/objects/driver.h"

#include <cstdint>
#include <string>

namespace warpsan {

/// A launch of \p Kernel is about to be enqueued. Returns its serial.
uint64_t noteRunning(cl_command_queue Queue, const std::string &Kernel);
/// It is logged as launch \p Number.
void noteNumber(uint64_t Serial, uint64_t Number);
/// The driver has it, as \p Event, which may be null.
void noteEnqueued(uint64_t Serial, cl_event Event);
/// The driver has refused it.
void noteRefused(uint64_t Serial);

/// Everything in \p Queue has ended.
void noteAllEnded(cl_command_queue Queue);
/// A command has ended that waited for what was before it in \p Queue, if that
/// is in order.
void noteBlockingEnded(cl_command_queue Queue);
/// The command of \p Event has ended.
void noteEnded(cl_event Event);
/// The process ends by exit.
void noteNoneRunning();

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_RUNNING_H
