//===- compiler/emit/mul_adds.h - a * b + c, rounded as the driver does ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL C lets a compiler contract a * b + c of one expression (FP_CONTRACT
// ON). Drivers' front ends make llvm.fmuladd of it, as ours does, and where the
// CPU has the instruction it is fused, whatever else uses the product. SPIR-V
// has no such operation: a multiplication and an addition that are marked as
// contractible are fused unless an optimization separates them, as for a
// product that is used twice or is the same in all iterations. The builtin fma
// always is fused.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_EMIT_MUL_ADDS_H
#define WARPSAN_COMPILER_EMIT_MUL_ADDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace warpsan {
class Target;

/// Rounds every llvm.fmuladd of floats and doubles once. By the builtin fma,
/// or, if \p CanContract, by marked operations where nothing is seen that would
/// separate them.
void fuseMulAdds(llvm::Module &Program, bool CanContract, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_EMIT_MUL_ADDS_H
