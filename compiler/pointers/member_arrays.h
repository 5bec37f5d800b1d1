//===- compiler/pointers/member_arrays.h - arrays inside of structs -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_MEMBER_ARRAYS_H
#define WARPSAN_COMPILER_POINTERS_MEMBER_ARRAYS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpsan {

struct Root;

/// An array that is indexed where it stands, as in s.values[i]. Its first byte
/// is at Base, or where the first Steps indices of Base lead.
struct Member {
  llvm::Value *Base;
  unsigned Steps; ///< 0: Base itself; else Base is a GetElementPtrInst
  uint64_t Bytes;
  uint64_t Element; ///< bytes of one
  std::string Name; ///< "float[4]"
};

/// The innermost array in a struct that \p Pointer was made from by indexing it
/// or by adding to its address. None for arrays of at most one element (they
/// stand for "as many as there are"). An array of arrays counts as one: code
/// runs through its rows. Changes nothing.
std::optional<Member> memberOf(llvm::Value *Pointer);

/// The address of the array's first byte. If no value has it, an instruction is
/// inserted before Base.
llvm::Value *createStart(const Member &M);

/// Calls \p Query with the address of the array's first byte. If no value has
/// it, an instruction that is in no block has it during the call.
void queryStart(const Member &M, llvm::function_ref<void(llvm::Value &)> Query);

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

#endif // WARPSAN_COMPILER_POINTERS_MEMBER_ARRAYS_H
