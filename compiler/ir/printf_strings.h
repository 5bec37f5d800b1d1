//===- compiler/ir/printf_strings.h - printf's %s -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_PRINTF_STRINGS_H
#define WARPSAN_COMPILER_IR_PRINTF_STRINGS_H

#include "llvm/IR/InstrTypes.h"

namespace warpsan {

/// True if every string that the call of printf prints surely ends: a constant
/// with a zero byte at or behind where the pointer points to.
bool stringsEnd(const llvm::CallBase &Printf);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_PRINTF_STRINGS_H
