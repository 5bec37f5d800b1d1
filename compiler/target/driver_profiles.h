//===- compiler/target/driver_profiles.h - what is particular to each
// driver -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a driver: how its own compiler reads OpenCL C, and which SPIR-V it
// turns into code as good as what it makes from source.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_DRIVER_PROFILES_H
#define WARPSAN_COMPILER_TARGET_DRIVER_PROFILES_H

#include "job/job.h"

#include "llvm/ADT/StringRef.h"

#include <LLVMSPIRVLib/LLVMSPIRVOpts.h>

#include <vector>

namespace warpsan {

/// What the driver makes of a * b + c in one OpenCL C expression, which OpenCL
/// C lets it contract (FP_CONTRACT ON).
enum class MulAdd {
  /// One rounding if the CPU has such an instruction, else two
  /// (compiler/emit/mul_adds.h).
  Fused,
  /// Two operations, as written.
  Apart,
};

struct DriverProfile {
  const char *Name;
  /// CL_PLATFORM_NAME starts with this.
  const char *Platform;
  /// The driver's OpenCL C if -cl-std is not given.
  const char *DefaultStd = "CL1.2";
  /// The driver's compiler targets SPIR itself and defines __SPIR__.
  bool DefinesSpir = false;
  MulAdd Fma = MulAdd::Apart;
  /// The builtin fma stays a call in its loops, so that what can be is marked
  /// as contractible instead.
  bool Contracts = false;
  /// What it compiles wrongly otherwise (compiler/emit/driver_workarounds.h).
  bool ClosesBarrierLoops = false, SeparatesLoops = false,
       HidesInnerTripCounts = false;
  /// The same of values that are joined where work-items came different ways
  /// (compiler/divergence/stack_slots.h).
  bool KeepsSlotsVolatile = false;
  /// The same of calls (compiler/emit/wide_vectors.h).
  bool SplitsWideCalls = false;
  /// It vectorizes across work-items, unless what it would have to do one by
  /// one looks like much. Reports then are as little as can be where checks
  /// are, and at the kernel's end where they can
  /// (compiler/checks/deferred_reports.h).
  bool VectorizesWorkItems = false;
  /// It has cl_khr_int64_base_atomics.
  bool HasInt64Atomics = false;
  /// Its compiler has cl_khr_depth_images, whatever it lists.
  bool HasDepthImages = false;
  /// The host can write and read global variables by their names
  /// (clEnqueueWriteGlobalVariableINTEL).
  bool NamesVariables = false;
  /// SPIR-V extensions that the driver takes without listing them.
  std::vector<SPIRV::ExtensionID> TakesUnlisted = {};
};

const DriverProfile &profileFor(const DeviceInfo &Device);

/// The SPIR-V extensions the device takes: its recipe's, and those that belong
/// to the OpenCL extensions it lists. Nothing else may be emitted: Intel's
/// runtime ends the process on an extension it does not know.
std::vector<SPIRV::ExtensionID> spirvExtensionsOf(const DeviceInfo &Device);

/// The highest SPIR-V version that the device lists and warpsan-clc writes.
/// Nullopt if it lists none.
std::optional<SPIRV::VersionNumber> spirvVersionOf(const DeviceInfo &Device);

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_DRIVER_PROFILES_H
