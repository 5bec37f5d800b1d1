//===- compiler/checks/clamped_loads.h - private loads that cannot fault --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch around a load does not keep every driver from executing it. Intel's
// CPU runtime takes private memory to be dereferenceable wherever it is
// indexed: where it vectorizes across work-items it loads an element whose
// index is uniform for all lanes, without the mask of the branch. So the
// address itself has to be safe.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_CLAMPED_LOADS_H
#define WARPSAN_COMPILER_CHECKS_CLAMPED_LOADS_H

namespace llvm {
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace warpsan {
class Target;

/// \p At if it is a load that such a driver may speculate: from private memory,
/// or through a generic pointer that is plainly to a private variable. Null if
/// it is not.
llvm::LoadInst *speculatedLoad(llvm::Instruction &At, const Target &T);

/// Where \p Bad (i1, usable at \p Load) is true, \p Load reads memory that is
/// there, and zero takes the place of its value. Adds no branch.
void clampLoad(llvm::LoadInst &Load, llvm::Value *Bad);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_CLAMPED_LOADS_H
