//===- compiler/spirv_in.h - SPIR-V to LLVM IR ----------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SPIRV_IN_H
#define WARPSAN_COMPILER_SPIRV_IN_H

#include "job/job.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace warpsan {

/// Reads one unit of SPIR-V, with its specialization constants set.
llvm::Expected<std::unique_ptr<llvm::Module>>
readSpirvUnit(const Unit &Source, llvm::LLVMContext &Context);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SPIRV_IN_H
