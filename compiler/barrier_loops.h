//===- compiler/barrier_loops.h - loops around barriers, for PoCL ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_BARRIER_LOOPS_H
#define WARPSAN_COMPILER_BARRIER_LOOPS_H

namespace llvm {
class Module;
} // namespace llvm

namespace warpsan {
class Target;

/// Puts a barrier behind every loop that has one. All work-items of a group
/// leave such a loop in the same round, so they all come there.
///
/// PoCL 6.0 needs it: LLVM joins `if (c)` behind the loop with what is known of
/// c where the loop is not entered at all. PoCL then takes the way of the first
/// work-item for all of them, if what hangs on c has branches of its own, as a
/// check has.
void closeBarrierLoops(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_BARRIER_LOOPS_H
