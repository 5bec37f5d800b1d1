//===- compiler/pointers/escaping_addresses.h - addresses that may outlive their
// variables --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private variable lives from a lifetime marker to another: clang puts them
// at the ends of its scope, the inliner at the ends of a function's body. As
// long as it is used by its name it is alive. Only an address that was stored,
// chosen among others, returned or made a number can be used too late. Where
// that happens to an address a mark is put, a call that returns it:
//
//   %p = call ptr @warpsan.taken(ptr %x)
//
// It keeps the variable in memory (promoted, a use after its end would look
// like any other), and it tells where a pointer was made, and so in which life
// of the variable: in a loop it has many. Only variables have marks for which
// it cannot be seen that nobody comes too late. compiler/pointers/lifetimes
// checks those.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_ESCAPING_ADDRESSES_H
#define WARPSAN_COMPILER_POINTERS_ESCAPING_ADDRESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warpsan {

/// The variable's address that \p Pointer is a mark of; null if it is none.
llvm::Value *markedBy(const llvm::Value *Pointer);

/// All marks of \p F.
llvm::SmallVector<llvm::CallInst *, 8> marksIn(llvm::Function &F);

/// The lifetime markers of \p Variable.
llvm::SmallVector<llvm::LifetimeIntrinsic *, 4>
markersOf(llvm::Value &Variable);

/// Marks the addresses of those variables of \p F that may be accessed after
/// their end, and takes the marks off all others. To be called when all calls
/// are inlined. \p WillBeInlined: variables without markers will have them, and
/// who returns an address is judged in its caller. \p Promote, which puts
/// memory into registers, is tried on a copy: \p F is left as it was if there
/// is nothing to mark.
void markLateAddresses(llvm::Function &F, bool WillBeInlined,
                       llvm::function_ref<void(llvm::Function &)> Promote);

/// Takes off all marks of \p F.
void dropMarks(llvm::Function &F);

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_ESCAPING_ADDRESSES_H
