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

/// Adds a barrier after every loop with one exit block and a barrier whose
/// fence is constant. All work-items of a group leave such a loop in the same
/// iteration, so they all reach it.
///
/// PoCL 6.0 needs it: LLVM threads `if (c)` after the loop with what is known
/// of c where the loop is not entered at all. PoCL then takes the direction of
/// the first work-item for all of them if the code that depends on c has
/// branches of its own, as a check has.
void closeBarrierLoops(llvm::Module &Program, const Target &T);

/// Puts every loop nest into loop-simplify form: preheader, single latch,
/// dedicated exits.
///
/// rusticl (Mesa 25.0) needs it: if the end of a loop is at the same time the
/// end of an `if` around it, values that are joined there are mixed up.
void separateLoops(llvm::Module &Program);

/// Hides the trip counts of nested loops from the driver: a zero that is read
/// from memory is added to the constants that they are compared with.
///
/// Intel's CPU runtime needs it. It unrolls such a loop, vectorizes the
/// outer one's iterations, and if these are fewer than a vector holds, it goes
/// on with an undefined iteration number, almost forever. That is so of
/// kernels as they are, `for (r = 0; r < n; ++r) for (k = 0; k < 4; ++k) a[k] =
/// r + k`; a twin whose checks it finds to be none comes to such loops in other
/// places.
void hideInnerTripCounts(const Twin &Of);

} // namespace warpsan

#endif // WARPSAN_COMPILER_EMIT_DRIVER_WORKAROUNDS_H
