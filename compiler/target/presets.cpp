//===- compiler/target/presets.cpp - devices that warpsan-clc knows by
// name -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/presets.h"

using namespace warpsan;

// PoCL 6.0, CPU.
static DeviceInfo pocl() {
  DeviceInfo D;
  D.Platform = "Portable Computing Language";
  D.DriverVersion = "6.0+debian";
  D.Extensions =
      "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
      "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
      "cl_khr_local_int32_extended_atomics cl_khr_3d_image_writes "
      "cl_khr_command_buffer cl_khr_command_buffer_multi_device "
      "cl_khr_subgroups cl_intel_unified_shared_memory "
      "cl_ext_buffer_device_address cl_pocl_svm_rect "
      "cl_pocl_command_buffer_svm cl_pocl_command_buffer_host_buffer "
      "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_subgroups "
      "cl_intel_subgroups_short cl_ext_float_atomics "
      "cl_intel_required_subgroup_size cl_khr_il_program cl_khr_fp64 "
      "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
  D.Features =
      "__opencl_c_3d_image_writes __opencl_c_images "
      "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "
      "__opencl_c_atomic_scope_device "
      "__opencl_c_program_scope_global_variables "
      "__opencl_c_atomic_scope_all_devices __opencl_c_generic_address_space "
      "__opencl_c_work_group_collective_functions "
      "__opencl_c_read_write_images __opencl_c_subgroups __opencl_c_fp64 "
      "__opencl_c_ext_fp32_global_atomic_add "
      "__opencl_c_ext_fp32_local_atomic_add "
      "__opencl_c_ext_fp32_global_atomic_min_max "
      "__opencl_c_ext_fp32_local_atomic_min_max "
      "__opencl_c_ext_fp64_global_atomic_add "
      "__opencl_c_ext_fp64_local_atomic_add "
      "__opencl_c_ext_fp64_global_atomic_min_max "
      "__opencl_c_ext_fp64_local_atomic_min_max __opencl_c_int64";
  D.ILVersions = "SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0";
  D.DeviceVersion = "OpenCL 3.0 PoCL HSTR: cpu";
  D.CVersion = "OpenCL C 1.2 PoCL";
  D.Images = 1;
  return D;
}

// Mesa 25.0 rusticl on llvmpipe.
static DeviceInfo rusticl() {
  DeviceInfo D;
  D.Platform = "rusticl";
  D.DriverVersion = "25.0.7";
  D.Extensions =
      "cl_khr_byte_addressable_store cl_khr_create_command_queue "
      "cl_khr_expect_assume cl_khr_extended_versioning "
      "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
      "cl_khr_il_program cl_khr_local_int32_base_atomics "
      "cl_khr_local_int32_extended_atomics cl_khr_integer_dot_product "
      "cl_khr_spirv_no_integer_wrap_decoration "
      "cl_khr_suggested_local_work_size cl_khr_image2d_from_buffer "
      "cl_khr_3d_image_writes cl_khr_depth_images cl_khr_device_uuid "
      "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative "
      "cl_arm_shared_virtual_memory";
  D.Features = "__opencl_c_integer_dot_product_input_4x8bit "
               "__opencl_c_integer_dot_product_input_4x8bit_packed "
               "__opencl_c_int64 __opencl_c_images "
               "__opencl_c_read_write_images __opencl_c_3d_image_writes "
               "__opencl_c_subgroups";
  D.ILVersions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";
  D.DeviceVersion = "OpenCL 3.0 ";
  D.CVersion = "OpenCL C 1.2 ";
  D.Images = 1;
  return D;
}

// Intel's CPU runtime 2026.2.
static DeviceInfo intel() {
  DeviceInfo D;
  D.Platform = "Intel(R) OpenCL";
  D.DriverVersion = "2026.22.10.0.01_160000";
  D.Extensions =
      "cl_khr_spirv_linkonce_odr cl_khr_fp64 cl_khr_fp16 cl_intel_bfloat16 "
      "cl_intel_sigmoid cl_khr_global_int32_base_atomics "
      "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
      "cl_khr_local_int32_extended_atomics cl_ext_float_atomics "
      "cl_khr_3d_image_writes cl_khr_byte_addressable_store "
      "cl_khr_depth_images cl_khr_extended_bit_ops cl_khr_icd "
      "cl_khr_il_program cl_khr_suggested_local_work_size "
      "cl_intel_unified_shared_memory cl_intel_devicelib_assert "
      "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle "
      "cl_khr_subgroup_shuffle_relative cl_khr_subgroup_extended_types "
      "cl_khr_subgroup_non_uniform_arithmetic "
      "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_clustered_reduce "
      "cl_khr_subgroup_rotate cl_intel_subgroups cl_intel_subgroups_char "
      "cl_intel_subgroups_short cl_intel_subgroups_long "
      "cl_intel_required_subgroup_size cl_intel_spirv_subgroups "
      "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
      "cl_intel_device_attribute_query cl_intel_exec_by_local_thread "
      "cl_intel_vec_len_hint cl_intel_device_partition_by_names cl_khr_spir "
      "cl_khr_image2d_from_buffer cl_intel_concurrent_dispatch "
      "cl_khr_device_uuid cl_khr_integer_dot_product cl_khr_command_buffer "
      "cl_khr_command_buffer_mutable_dispatch "
      "cl_intel_subgroup_local_block_io cl_khr_kernel_clock "
      "cl_khr_spirv_queries";
  D.Features =
      "__opencl_c_3d_image_writes __opencl_c_atomic_order_acq_rel "
      "__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "
      "__opencl_c_atomic_scope_all_devices __opencl_c_device_enqueue "
      "__opencl_c_generic_address_space __opencl_c_fp64 __opencl_c_images "
      "__opencl_c_int64 __opencl_c_pipes "
      "__opencl_c_program_scope_global_variables "
      "__opencl_c_read_write_images __opencl_c_subgroups "
      "__opencl_c_work_group_collective_functions "
      "__opencl_c_integer_dot_product_input_4x8bit "
      "__opencl_c_integer_dot_product_input_4x8bit_packed "
      "cl_intel_bfloat16 "
      "__opencl_c_intel_bfloat_global_atomic_load_store "
      "__opencl_c_intel_bfloat_global_atomic_add "
      "__opencl_c_intel_bfloat_global_atomic_min_max "
      "__opencl_c_intel_bfloat_local_atomic_load_store "
      "__opencl_c_intel_bfloat_local_atomic_add "
      "__opencl_c_intel_bfloat_local_atomic_min_max";
  D.ILVersions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";
  D.DeviceVersion = "OpenCL 3.1 (Build 0)";
  D.CVersion = "OpenCL C 3.1 ";
  D.Images = 1;
  return D;
}

// Nothing optional, and a platform that no recipe knows.
static DeviceInfo generic() {
  DeviceInfo D;
  D.Platform = "generic";
  D.DriverVersion = "0";
  D.Extensions =
      "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
      "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
      "cl_khr_local_int32_extended_atomics cl_khr_il_program";
  D.Features = "__opencl_c_int64";
  D.ILVersions = "SPIR-V_1.0";
  D.DeviceVersion = "OpenCL 3.0 ";
  D.CVersion = "OpenCL C 1.2 ";
  return D;
}

std::optional<DeviceInfo> warpsan::presetDevice(llvm::StringRef Name) {
  if (Name == "pocl")
    return pocl();
  if (Name == "rusticl")
    return rusticl();
  if (Name == "intel")
    return intel();
  if (Name == "generic")
    return generic();
  return std::nullopt;
}
