//===- layer/findings/findings.h - where findings come from ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_FINDINGS_H
#define WARPSAN_LAYER_FINDINGS_FINDINGS_H

#include "diagnose/finding.h"
#include "layer/objects/launch_log.h"
#include "layer/order/command_access.h"
#include "layer/svm/svm_ranges.h"

namespace warpsan {

/// Reports what twins have recorded, and canaries shown, since the last call:
/// each new finding at once, on standard error and in findings_file; those
/// known are counted, as are suppressed ones. Does what on_error asks for if
/// there was any that is not suppressed. Cheap when there is nothing. \p
/// MayWait: the caller's call blocks anyway, so it may block until records of
/// launches that have ended are read from devices that have them in memory of
/// their own.
void reportRecords(bool MayWait = false);

/// Reports what the host sees without a call to the driver; for the watcher.
/// False if the process ends.
bool reportHostVisibleRecords();

/// Reports an error of the application's own: \p Call was given a pointer to
/// \p Place.
void reportCall(FindingKind Kind, const char *Call, const SvmPlace &Place);

/// Reports that \p Call is given \p Of, which was released.
void reportReleasedObject(FindingKind Kind, const char *Call,
                          const std::shared_ptr<const Life> &Of);

/// Reports \p Call because of \p Of, which is argument \p Index of \p Kernel:
/// that it launches with what was released, or frees what is in use.
void reportArgument(FindingKind Kind, const char *Call,
                    const LaunchedKernel &Kernel, unsigned Index,
                    const std::shared_ptr<const Memory> &Of);

/// Reports two commands that nothing orders.
void reportCommandRace(const CommandRace &Race);

/// Reports \p Count allocations, of which \p First is one, that nobody
/// released.
void reportLeak(const std::shared_ptr<const Memory> &First, uint64_t Count);

/// To be called once, at start: looks again when the process ends.
void watchForTheEnd();

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_FINDINGS_H
