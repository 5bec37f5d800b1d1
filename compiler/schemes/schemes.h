//===- compiler/schemes/schemes.h - all schemes by name -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "warpsan" is ours, others are for comparison: docs/explanation/schemes.md.
// What a scheme's host half does is in schemes/ and layer/schemes/schemes.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SCHEMES_SCHEMES_H
#define WARPSAN_COMPILER_SCHEMES_SCHEMES_H

#include "compiler/checks/scheme.h"

#include <memory>
#include <string>

namespace warpsan {

std::unique_ptr<Scheme> makeLmi(const KernelParts &Of, bool Live);
std::string whyNotLmi(llvm::Function &Kernel);

std::unique_ptr<Scheme> makeCuSafe(const KernelParts &Of);

std::unique_ptr<Scheme> makeGpuShield(const KernelParts &Of);

std::unique_ptr<Scheme> makeNoFat(const KernelParts &Of);

/// Checks nothing: writes down what there would be to check.
std::unique_ptr<Scheme> makeTrace(const KernelParts &Of);

/// True for a name that is known, and is not WarpSan's own.
bool isOther(llvm::StringRef Scheme);

/// Why \p Scheme does not take \p Kernel; empty if it does.
std::string whyNot(llvm::StringRef Scheme, llvm::Function &Kernel);

/// What \p Scheme needs besides; \p Wanted is what WarpSan's own does.
void addHiddenArgs(llvm::StringRef Scheme, WantedArgs &Wanted);

/// For one kernel. \p Scheme: isOther.
std::unique_ptr<Scheme> makeOther(llvm::StringRef Scheme,
                                  const KernelParts &Of);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SCHEMES_SCHEMES_H
