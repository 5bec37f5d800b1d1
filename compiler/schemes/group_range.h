//===- compiler/schemes/group_range.h - a number in a whole work-group ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SCHEMES_GROUP_RANGE_H
#define WARPSAN_COMPILER_SCHEMES_GROUP_RANGE_H

#include "compiler/target/target.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace warpsan {

/// What an integer lies between, taken as signed, for all work-items of a
/// group, if it has what differs among them from their ids alone. These values
/// are the same in all of them, so that a driver needs to make them but once.
struct GroupRange {
  llvm::Value *Least, *Greatest; ///< i64; within 2^47 either way
  llvm::Value *Holds;            ///< i1: it is so; nothing wrapped around
};

/// Makes the range of \p V with \p Build, where \p V is known. None: it is
/// unknown.
std::optional<GroupRange>
groupRangeOf(llvm::Value *V, llvm::IRBuilderBase &Build, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SCHEMES_GROUP_RANGE_H
