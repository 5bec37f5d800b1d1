//===- layer/launch/audit.h - proofs that are checked all the same --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// checks=audit: launches run with every access checked. A check that fails
// where the launch had proven that it cannot is a defect of WarpSan.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_AUDIT_H
#define WARPSAN_LAYER_LAUNCH_AUDIT_H

#include "diagnose/finding.h"
#include "layer/launch/proof_cache.h"
#include "layer/launch/twin_kernel.h"
#include "layer/objects/kernel_args.h"
#include "layer/objects/launch_log.h"

#include <memory>

namespace warpsan {

/// What a launch with \p Args has \p Proven of \p Lean's claims.
std::shared_ptr<const AuditedLaunch> auditedLaunch(const TwinPool &Lean,
                                                   KernelArgs &Args,
                                                   const ProofResult &Proven);

/// If \p L had proven the access number \p Site: says so in \p F, and gives it
/// another id than an error that no proof was about has. \p Test: as in the
/// record.
void noteIfRefuted(Finding &F, const LoggedLaunch &L, uint32_t Site,
                   uint32_t Test);

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_AUDIT_H
