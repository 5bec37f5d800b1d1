//===- compiler/members.h - arrays inside of structs ----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_MEMBERS_H
#define WARPSAN_COMPILER_MEMBERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpsan {

struct Root;

/// An array that is indexed where it stands, as in s.values[i].
struct Member {
  llvm::Value *Array; ///< its first byte
  uint64_t Bytes;
  uint64_t Element; ///< bytes of one
  std::string Name; ///< "float[4]"
};

/// The innermost array in a struct that \p Pointer was made from by indexing it
/// or by adding to its address. None for arrays of at most one element (they
/// stand for "as many as there are"). An array of arrays counts as one: code
/// runs through its rows.
std::optional<Member> memberOf(llvm::Value *Pointer);

/// \p Of as the source names it, "b.pos", if its place in the root that it is
/// in follows from its address. Else its type, Member::Name.
std::string nameOf(const Member &Of, const Root &In, llvm::StringRef RootName,
                   const llvm::DataLayout &Layout);

/// True if \p Pointer was made by an access to a member of a struct: what its
/// index counts is not of the accessed type.
bool isInStruct(const llvm::Value *Pointer);

/// Makes one address of s->first and [i] if `first` is at the struct's start.
/// To be called before passes run: they take an address that adds nothing for
/// the struct's own.
void joinFirstFields(llvm::Function &F);

} // namespace warpsan

#endif // WARPSAN_COMPILER_MEMBERS_H
