//===- compiler/target/driver_profiles.cpp - what is particular to each
// driver -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/driver_profiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace warpsan;
using SPIRV::ExtensionID;
using SPIRV::VersionNumber;

const DriverProfile &warpsan::profileFor(const DeviceInfo &Device) {
  static const DriverProfile Profiles[] = {
      // A call of fma in its work-item loop makes gemm 3.5 times slower.
      // Without nsw 32-bit index arithmetic stays in that loop too.
      {.Name = "PoCL",
       .Platform = "Portable Computing Language",
       .DefaultStd = "CL3.0",
       .Fma = MulAdd::Fused,
       .Contracts = true,
       .ClosesBarrierLoops = true,
       .KeepsSlotsVolatile = true,
       .SplitsWideCalls = true,
       .HasInt64Atomics = true,
       .HasDepthImages = true,
       .TakesUnlisted = {ExtensionID::SPV_KHR_no_integer_wrap_decoration,
                         ExtensionID::SPV_KHR_expect_assume,
                         ExtensionID::SPV_INTEL_fp_fast_math_mode}},
      // rusticl ends the process on SPV_INTEL_fp_fast_math_mode. nsw it lists
      // itself.
      {.Name = "rusticl", .Platform = "rusticl", .SeparatesLoops = true},
      // Without nsw Intel's CPU runtime vectorizes across work-items (gemm
      // four times faster than with it).
      {.Name = "Intel",
       .Platform = "Intel(R) OpenCL",
       .DefinesSpir = true,
       .Fma = MulAdd::Fused,
       .HidesInnerTripCounts = true,
       .KeepsSlotsVolatile = true,
       .VectorizesWorkItems = true,
       .HasInt64Atomics = true,
       .NamesVariables = true},
  };
  static const DriverProfile Unknown = {.Name = "unknown", .Platform = ""};
  for (const DriverProfile &Profile : Profiles)
    if (StringRef(Device.Platform).starts_with(Profile.Platform))
      return Profile;
  return Unknown;
}

std::vector<ExtensionID> warpsan::spirvExtensionsOf(const DeviceInfo &Device) {
  static const struct {
    const char *OpenCL;
    std::vector<ExtensionID> Spirv;
  } Pairs[] = {
      {"cl_ext_float_atomics",
       {ExtensionID::SPV_EXT_shader_atomic_float_add,
        ExtensionID::SPV_EXT_shader_atomic_float_min_max,
        ExtensionID::SPV_EXT_shader_atomic_float16_add}},
      {"cl_ext_image_raw10_raw12", {ExtensionID::SPV_EXT_image_raw10_raw12}},
      {"cl_khr_spirv_no_integer_wrap_decoration",
       {ExtensionID::SPV_KHR_no_integer_wrap_decoration}},
      {"cl_khr_spirv_linkonce_odr", {ExtensionID::SPV_KHR_linkonce_odr}},
      {"cl_khr_expect_assume", {ExtensionID::SPV_KHR_expect_assume}},
      {"cl_khr_integer_dot_product",
       {ExtensionID::SPV_KHR_integer_dot_product}},
      {"cl_khr_extended_bit_ops", {ExtensionID::SPV_KHR_bit_instructions}},
      {"cl_khr_work_group_uniform_arithmetic",
       {ExtensionID::SPV_KHR_uniform_group_instructions}},
      {"cl_khr_subgroup_rotate", {ExtensionID::SPV_KHR_subgroup_rotate}},
      {"cl_khr_kernel_clock", {ExtensionID::SPV_KHR_shader_clock}},
      {"cl_intel_subgroups", {ExtensionID::SPV_INTEL_subgroups}},
      {"cl_intel_spirv_subgroups", {ExtensionID::SPV_INTEL_subgroups}},
      {"cl_intel_media_block_io", {ExtensionID::SPV_INTEL_media_block_io}},
      {"cl_intel_spirv_media_block_io",
       {ExtensionID::SPV_INTEL_media_block_io}},
      {"cl_intel_spirv_device_side_avc_motion_estimation",
       {ExtensionID::SPV_INTEL_device_side_avc_motion_estimation}},
      {"cl_intel_split_work_group_barrier",
       {ExtensionID::SPV_INTEL_split_barrier}},
      {"cl_intel_bfloat16_conversions",
       {ExtensionID::SPV_INTEL_bfloat16_conversion}},
  };
  SmallVector<StringRef, 64> Listed;
  StringRef(Device.Extensions).split(Listed, ' ', -1, /*KeepEmpty=*/false);
  std::vector<ExtensionID> Allowed = profileFor(Device).TakesUnlisted;
  for (const auto &[OpenCL, Spirv] : Pairs)
    if (is_contained(Listed, OpenCL))
      Allowed.insert(Allowed.end(), Spirv.begin(), Spirv.end());
  return Allowed;
}

/// The translator writes the lowest version that will do. Given leave for 1.4
/// it takes it for every nsw flag (which a recipe decides on: Intel's runtime
/// is better off without) and for every variable, and then forgets variables in
/// entry points' interfaces, which 1.4 does not allow.
static constexpr VersionNumber HighestWritten = VersionNumber::SPIRV_1_3;

std::optional<VersionNumber> warpsan::spirvVersionOf(const DeviceInfo &Device) {
  std::optional<VersionNumber> Highest;
  SmallVector<StringRef, 8> Words;
  StringRef(Device.ILVersions).split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    unsigned Major = 0, Minor = 0;
    if (!Word.consume_front("SPIR-V_") || Word.consumeInteger(10, Major) ||
        !Word.consume_front(".") || Word.consumeInteger(10, Minor))
      continue;
    auto Version = static_cast<VersionNumber>(Major << 16 | Minor << 8);
    if (Version >= VersionNumber::MinimumVersion && Version <= HighestWritten &&
        (!Highest || *Highest < Version))
      Highest = Version;
  }
  return Highest;
}
