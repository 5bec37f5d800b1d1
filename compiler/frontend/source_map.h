//===- compiler/frontend/source_map.h - files and places of the source ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_FRONTEND_SOURCE_MAP_H
#define WARPSAN_COMPILER_FRONTEND_SOURCE_MAP_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <string>
#include <vector>

namespace warpsan {

/// A place in the source. Places form chains: a function's body, inlined at a
/// call, inlined at a call, up to the kernel.
struct Location {
  unsigned File = 0; ///< index into SourceMap::Files
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Function;
  int InlinedAt = -1; ///< the call's Location, or -1 in the kernel itself
};

/// Files and places, each once, in the order they are first met.
class SourceMap {
public:
  std::vector<std::string> Files;
  std::vector<Location> Locations;

  unsigned fileOf(const llvm::DIFile *File);
  int locationOf(const llvm::DILocation *At);
  int locationOf(const llvm::DIVariable *Declared);

private:
  llvm::StringMap<unsigned> FileNumbers;
  llvm::DenseMap<const llvm::DILocation *, int> Known;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_FRONTEND_SOURCE_MAP_H
