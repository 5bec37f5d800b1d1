//===- compiler/ir/arg_info.h - what the source says of an argument -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_ARG_INFO_H
#define WARPSAN_COMPILER_IR_ARG_INFO_H

#include "llvm/IR/Function.h"

#include <string>
#include <vector>

namespace warpsan {

/// An argument's entry in the kernel's metadata \p Kind ("kernel_arg_name");
/// empty if it has none.
std::string argString(const llvm::Function &Kernel, const char *Kind,
                      unsigned Index);

/// "const", "restrict", "volatile", "pipe": those it has.
std::vector<std::string> argQualifiers(const llvm::Function &Kernel,
                                       unsigned Index);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_ARG_INFO_H
