//===- compiler/members.h - arrays inside of structs ----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_MEMBERS_H
#define WARPSAN_COMPILER_MEMBERS_H

#include "llvm/IR/Value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpsan {

/// An array that is indexed where it stands, as in s.values[i].
struct Member {
  llvm::Value *Array; ///< its first byte
  uint64_t Bytes;
  uint64_t Element; ///< bytes of one
  std::string Name; ///< "float[4]"
};

/// The innermost array that \p Pointer indexes with anything but a constant
/// that is inside. None for arrays of at most one element (they stand for "as
/// many as there are"), and none for rows of an array of arrays, which code
/// runs through as one.
std::optional<Member> memberOf(llvm::Value *Pointer);

} // namespace warpsan

#endif // WARPSAN_COMPILER_MEMBERS_H
