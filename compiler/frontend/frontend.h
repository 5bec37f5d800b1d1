//===- compiler/frontend/frontend.h - OpenCL C to LLVM IR -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_FRONTEND_H
#define WARPSAN_COMPILER_FRONTEND_FRONTEND_H

#include "job/job.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace warpsan {

/// Names under which in-memory files are met start with this; people are
/// shown what follows it.
inline constexpr llvm::StringLiteral VirtualRoot = "/__warpsan/";

/// Compiles one unit of OpenCL C with clang, unoptimized, with debug
/// information. \p Name is what people are shown as the source's file name.
/// Appends clang's diagnostics to \p Log and the files read from disk to
/// \p Dependencies. Appends to \p DriverMacros what the driver may preprocess
/// differently (compiler/frontend/driver_macros.h).
llvm::Expected<std::unique_ptr<llvm::Module>>
compileOpenCL(const Unit &Source, llvm::StringRef Name,
              const DeviceInfo &Device, llvm::LLVMContext &Context,
              std::string &Log, std::vector<Dependency> &Dependencies,
              std::vector<std::string> &DriverMacros);

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_FRONTEND_H
