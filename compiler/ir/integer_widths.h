//===- compiler/ir/integer_widths.h - integers of widths that SPIR-V has --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's passes make integers of any width: a copy of a struct of three bytes
// into a union with an int becomes an i24. SPIR-V has 1, 8, 16, 32 and 64 bits,
// and the translator ends the process at any other.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_INTEGER_WIDTHS_H
#define WARPSAN_COMPILER_IR_INTEGER_WIDTHS_H

namespace llvm {
class Function;
class Instruction;
class Type;
} // namespace llvm

namespace warpsan {

/// Whether SPIR-V lacks \p Of, an integer type, or an integer type in it.
bool hasOddInteger(const llvm::Type *Of);

/// The first instruction of \p Body that widenOddIntegers cannot rewrite, or
/// null.
const llvm::Instruction *findUnwidenable(const llvm::Function &Body);

/// Replaces integers of up to 64 bits that SPIR-V lacks by the next wider ones,
/// whose additional bits are zero. Loads and stores access the same bytes, in
/// parts. Leaves instructions for which findUnwidenable is not null; debug
/// information need not be kept.
void widenOddIntegers(llvm::Function &Body);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_INTEGER_WIDTHS_H
