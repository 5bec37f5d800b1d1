//===- compiler/frontend/spirv_reader.h - SPIR-V to LLVM IR ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_SPIRV_READER_H
#define WARPSAN_COMPILER_FRONTEND_SPIRV_READER_H

#include "job/job.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <LLVMSPIRVLib/LLVMSPIRVOpts.h>

#include <memory>
#include <vector>

namespace warpsan {

/// Reads one unit of SPIR-V, with its specialization constants set. Adds the
/// SPIR-V extensions that it declares to \p Extensions: the driver has taken
/// the unit, so it takes those.
llvm::Expected<std::unique_ptr<llvm::Module>>
readSpirvUnit(const Unit &Source, llvm::LLVMContext &Context,
              std::vector<SPIRV::ExtensionID> &Extensions);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_SPIRV_READER_H
