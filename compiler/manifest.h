//===- compiler/manifest.h - what the layer must know of each twin --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_MANIFEST_H
#define WARPSAN_COMPILER_MANIFEST_H

#include "compiler/instrument.h"
#include "compiler/target/target.h"

#include "llvm/IR/Module.h"

#include <map>
#include <string>
#include <vector>

namespace warpsan {

/// What is seen of a program only before it has checks.
struct ProgramInfo {
  bool MutableGlobals = false;                     ///< setters.h
  bool Cuda = false;                               ///< cuda.h
  std::vector<std::string> DriverMacros;           ///< driver_macros.h
  std::map<std::string, std::string> Refused = {}; ///< refusals.h
};

/// JSON (docs/reference/formats/manifest.md). Needs the debug information.
/// \p UnitNames: the file name of each of the recipe's units.
std::string writeManifest(const std::vector<CheckedTwin> &Twins,
                          const ProgramInfo &Info, Variant Which,
                          llvm::ArrayRef<std::string> UnitNames,
                          const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_MANIFEST_H
