//===- compiler/ir/int_to_ptr.h - the pointer that an integer is made of --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_INT_TO_PTR_H
#define WARPSAN_COMPILER_IR_INT_TO_PTR_H

namespace llvm {
class PtrToIntOperator;
class Value;
} // namespace llvm

namespace warpsan {

/// What an integer that is cast to a pointer is computed from.
struct IntegerOrigin {
  /// The only pointer in the computation; it dominates the integer. Null if
  /// there is none or several, or if it comes through a phi or a select.
  llvm::PtrToIntOperator *Pointer = nullptr;
  /// The computation has another operand that may hold an address: a link that
  /// is loaded from memory, as in XOR-linked lists and self-relative pointers.
  /// Kernel arguments and work-item functions are taken for offsets.
  bool HasLink = false;

  /// True if the pointer is one into the object of Pointer, or a bad one.
  bool isOne() const { return Pointer && !HasLink; }
};

IntegerOrigin originOfInteger(llvm::Value *Integer);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_INT_TO_PTR_H
