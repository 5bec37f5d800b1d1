//===- compiler/frontend/link.h - several units to one program ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_LINK_H
#define WARPSAN_COMPILER_FRONTEND_LINK_H

#include "compiler/target/target.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace warpsan {

/// Links \p Units (at least one), in order.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkUnits(std::vector<std::unique_ptr<llvm::Module>> Units);

/// Hides everything but the kernels from the outside, and global variables if
/// \p NamesVariables, and drops what no kernel reaches. Fails if a kernel needs
/// a function that neither the program nor OpenCL defines.
llvm::Error closeProgram(llvm::Module &Program, const Target &T,
                         bool NamesVariables);

/// Drops functions and variables that nothing uses.
void dropUnused(llvm::Module &Program);

/// "file:line" of an instruction, for reasons; empty without debug information.
std::string placeOf(const llvm::Instruction &I);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_LINK_H
