//===- compiler/sites.h - where each memory access is in the source -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SITES_H
#define WARPSAN_COMPILER_SITES_H

#include "compiler/target.h"

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

/// One memory access of a kernel's final code. Its number is its index.
struct Site {
  int At = -1;         ///< Location, or -1 if the unit had no line information
  const char *Access;  ///< load, store, atomic, call
  const char *Space;   ///< global, constant, local, private, generic, image
  std::string Builtin; ///< for call and atomic: the builtin's name
  uint64_t Bytes = 0;  ///< 0: known only when it runs
};

/// Files and places, each once, in the order they are first met.
class SourceMap {
public:
  std::vector<std::string> Files;
  std::vector<Location> Locations;

  unsigned fileOf(const llvm::DIFile *File);
  int locationOf(const llvm::DILocation *At);

private:
  llvm::StringMap<unsigned> FileNumbers;
  llvm::DenseMap<const llvm::DILocation *, int> Known;
};

/// All accesses of \p Kernel, in the order of its code.
std::vector<Site> sitesOf(const llvm::Function &Kernel, const Target &T,
                          SourceMap &Map);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SITES_H
