//===- compiler/pipeline.h - from a Job to its CompileResult --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_PIPELINE_H
#define WARPSAN_COMPILER_PIPELINE_H

#include "compiler/process/timing.h"
#include "job/job.h"

#include <string>

namespace warpsan {

/// What people and tests may look at on the way.
struct Inspection {
  /// Stop before SPIR-V and give the final LLVM IR, with names, instead.
  bool WantIR = false;
  std::string IR;
  Phases Timing;
};

/// Compiles \p Request. Never fails otherwise than by the CompileResult's
/// Reason.
CompileResult compile(const Job &Request, Inspection &Look);
CompileResult compile(const Job &Request);

/// Compiles a small program and throws it away, so that a process forked from
/// this one finds the libraries' tables and relocations in memory.
void warmUp();

} // namespace warpsan

#endif // WARPSAN_COMPILER_PIPELINE_H
