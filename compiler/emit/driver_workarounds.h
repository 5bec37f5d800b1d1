//===- compiler/emit/driver_workarounds.h - code that drivers get wrong ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drivers compile SPIR-V that looks like what their own front end makes of
// OpenCL C. What a twin has beyond that some compile wrongly; it is given
// another shape. Which driver needs what: compiler/target/driver_profiles.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_EMIT_DRIVER_WORKAROUNDS_H
#define WARPSAN_COMPILER_EMIT_DRIVER_WORKAROUNDS_H

namespace llvm {
class Instruction;
class Loop;
class Module;
} // namespace llvm

namespace warpsan {
class Target;
struct Twin;

/// Puts a barrier behind every loop that has one. All work-items of a group
/// leave such a loop in the same round, so they all come there.
///
/// PoCL 6.0 needs it: LLVM joins `if (c)` behind the loop with what is known of
/// c where the loop is not entered at all. PoCL then takes the way of the first
/// work-item for all of them, if what hangs on c has branches of its own, as a
/// check has.
void closeBarrierLoops(llvm::Module &Program, const Target &T);

/// Gives every loop a block before it and blocks behind it that belong to
/// nothing else, as a front end's loops have.
///
/// rusticl (Mesa 25.0) needs it: if the end of a loop is at the same time the
/// end of an `if` around it, values that are joined there are mixed up.
void separateLoops(llvm::Module &Program);

/// Lets no driver count the rounds of a loop in a loop: the constants that they
/// are compared with have a zero added to them which is read from memory.
///
/// Intel's CPU runtime needs it. It unrolls such a loop, vectorizes the
/// outer one's iterations, and if these are fewer than a vector holds, it goes
/// on with a round that nobody has set, all but for ever. That is so of kernels
/// as they are, `for (r = 0; r < n; ++r) for (k = 0; k < 4; ++k) a[k] = r + k`;
/// a twin whose checks it finds to be none comes to such loops in other places.
void hideInnerRounds(const Twin &Of);

} // namespace warpsan

#endif // WARPSAN_COMPILER_EMIT_DRIVER_WORKAROUNDS_H
