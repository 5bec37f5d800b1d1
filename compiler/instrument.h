//===- compiler/instrument.h - a check before every access ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access that would leave its memory is not performed: a load returns zero,
// a store is dropped, and the device's report function is called.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_INSTRUMENT_H
#define WARPSAN_COMPILER_INSTRUMENT_H

#include "compiler/checks/checked_twin.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace warpsan {

struct DriverProfile;
class Refusals;

/// Appends hidden arguments to every kernel of \p Program and, unless \p Which
/// has none, puts checks before its accesses, as \p Scheme has them
/// (compiler/schemes). In the order of the module. Kernels that are not \p Only
/// go. Kernels with too many arguments or accesses are refused.
llvm::Expected<std::vector<CheckedTwin>>
instrument(llvm::Module &Program, Variant Which, llvm::StringRef Scheme,
           const AccessSelection &Only, const DriverProfile &Profile,
           const Target &T, Refusals &Refused);

} // namespace warpsan

#endif // WARPSAN_COMPILER_INSTRUMENT_H
