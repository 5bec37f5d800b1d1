//===- compiler/ir/collectives.h - builtins that work-items call together -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All work-items of a work-group or sub-group must reach a barrier, collective
// function or asynchronous copy, or none of them. Which builtins these are is
// in one table, collectives.def.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_COLLECTIVES_H
#define WARPSAN_COMPILER_IR_COLLECTIVES_H

#include "compiler/target/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>

namespace warpsan {

/// Which work-items must execute a call together.
enum class CollectiveScope : uint8_t {
  None, ///< each work-item for itself
  SubGroup,
  WorkGroup,
};
CollectiveScope scopeOf(const llvm::CallBase &Call, const Target &T);

/// True if scopeOf() is not None.
bool isCollective(const llvm::CallBase &Call, const Target &T);

/// True if \p Call is a barrier of the work-group and nothing else.
bool isWorkGroupBarrier(const llvm::CallBase &Call, const Target &T);

/// True if all work-items of a work-group get the same result, whatever the
/// operands.
bool hasUniformResult(const llvm::CallBase &Call, const Target &T);

/// An argument of a collective call that must be the same for all work-items of
/// a work-group.
struct SharedArgument {
  unsigned Index = 0;
  const char *Name = ""; ///< "destination"
};

/// Those of \p Call, a collective of the work-group. Events are not among them.
llvm::SmallVector<SharedArgument, 4> sharedArguments(const llvm::CallBase &Call,
                                                     const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_COLLECTIVES_H
