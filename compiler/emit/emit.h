//===- compiler/emit/emit.h - LLVM IR to validated SPIR-V -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_EMIT_EMIT_H
#define WARPSAN_COMPILER_EMIT_EMIT_H

#include "compiler/process/timing.h"
#include "job/job.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <LLVMSPIRVLib/LLVMSPIRVOpts.h>

#include <string>
#include <vector>

namespace warpsan {

/// Where a program's code came from.
struct Origin {
  /// No unit was OpenCL C. Decides what may be fused: see emit.cpp.
  bool OnlySpirv = false;
  /// What SPIR-V units declared, and the driver therefore takes.
  std::vector<SPIRV::ExtensionID> Extensions;
};

/// Drops what drivers must not see (debug information, loop metadata that says
/// nothing) and rewrites what SPIR-V cannot say.
void shapeForEmission(llvm::Module &Program);

/// Translates by the device's recipe and validates. Consumes the module's
/// content.
llvm::Expected<std::string> emitSpirv(llvm::Module &Program,
                                      const DeviceInfo &Device,
                                      const Origin &From, std::string &Log,
                                      Phases &Timing);

} // namespace warpsan

#endif // WARPSAN_COMPILER_EMIT_EMIT_H
