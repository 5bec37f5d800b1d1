//===- compiler/frontend/dialect.cpp - OpenCL C as the device's compiler has
// it ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/dialect.h"

#include "compiler/target/driver_profiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace warpsan;

/// What the device has, extensions and features alike.
static StringSet<> namesOf(const DeviceInfo &Device) {
  StringSet<> Names;
  for (StringRef List :
       {StringRef(Device.Extensions), StringRef(Device.Features)}) {
    SmallVector<StringRef, 64> Words;
    List.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef Word : Words)
      Names.insert(Word);
  }
  // clang refuses one of a pair without the other.
  const std::pair<const char *, const char *> Pairs[] = {
      {"cl_khr_fp64", "__opencl_c_fp64"},
      {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"}};
  for (const auto &[Extension, Feature] : Pairs)
    if (Names.contains(Extension) || Names.contains(Feature)) {
      Names.insert(Extension);
      Names.insert(Feature);
    }
  if (Device.Images)
    Names.insert("__opencl_c_images");
  else
    for (const char *NeedsImages :
         {"__opencl_c_images", "__opencl_c_read_write_images",
          "__opencl_c_3d_image_writes", "cl_khr_3d_image_writes"})
      Names.erase(NeedsImages);
  if (profileFor(Device).HasDepthImages && Device.Images)
    Names.insert("cl_khr_depth_images");
  return Names;
}

// Outside of a function: coverage of one that includes a file cannot be read.
static const char *const KnownToClang[] = {
#define OPENCLEXTNAME(Ext) #Ext,
#include "clang/Basic/OpenCLExtensions.def"
};

bool warpsan::isKnownToClang(StringRef Extension) {
  return is_contained(KnownToClang, Extension);
}

/// "OpenCL 3.1 (Build 0)" is 310; 120 if it cannot be read.
static unsigned versionOf(StringRef Text) {
  unsigned Major = 0, Minor = 0;
  if (!Text.consume_front("OpenCL ") || Text.consumeInteger(10, Major) ||
      !Text.consume_front(".") || Text.consumeInteger(10, Minor))
    return 120;
  return Major * 100 + Minor * 10;
}

std::vector<std::string> warpsan::dialectArguments(const DeviceInfo &Device,
                                                   const Dialect &Language) {
  std::vector<std::string> Arguments = {"-cl-std=" + Language.ClangName};
  auto Define = [&](const Twine &Macro) {
    Arguments.push_back("-D");
    Arguments.push_back(Macro.str());
  };
  std::vector<std::string> Names;
  for (auto &Entry : namesOf(Device))
    Names.push_back(Entry.getKey().str());
  llvm::sort(Names); // the same job gives the same arguments
  std::string Known = "-cl-ext=-all";
  for (const std::string &Name : Names) {
    if (isKnownToClang(Name))
      Known += ",+" + Name;
    else
      Define(Name + "=1");
  }
  Arguments.push_back(Known);
  Define("__OPENCL_VERSION__=" + Twine(versionOf(Device.DeviceVersion)));
  if (!Device.Images) {
    Arguments.push_back("-U");
    Arguments.push_back("__IMAGE_SUPPORT__");
  }
  // PoCL compiles for the host's processor and says so in its version string.
  if (StringRef(Device.DeviceVersion).contains("x86_64-pc-linux")) {
    Define("__x86_64__=1");
    Define("__linux__=1");
  }
  return Arguments;
}

std::string warpsan::baseHeaderFor(const DeviceInfo &Device,
                                   const Dialect &Language, StringRef Inner) {
  // What opencl-c-base.h of clang 19 defines because the target is SPIR-V.
  static const char *const ForEverySpirvTarget[] = {
      "cl_khr_subgroup_extended_types",
      "cl_khr_subgroup_non_uniform_vote",
      "cl_khr_subgroup_ballot",
      "cl_khr_subgroup_non_uniform_arithmetic",
      "cl_khr_subgroup_shuffle",
      "cl_khr_subgroup_shuffle_relative",
      "cl_khr_subgroup_clustered_reduce",
      "cl_khr_subgroup_rotate",
      "cl_khr_extended_bit_ops",
      "cl_khr_integer_dot_product",
      "__opencl_c_integer_dot_product_input_4x8bit",
      "__opencl_c_integer_dot_product_input_4x8bit_packed",
      "cl_ext_float_atomics",
      "__opencl_c_ext_fp16_global_atomic_load_store",
      "__opencl_c_ext_fp16_local_atomic_load_store",
      "__opencl_c_ext_fp16_global_atomic_add",
      "__opencl_c_ext_fp16_local_atomic_add",
      "__opencl_c_ext_fp16_global_atomic_min_max",
      "__opencl_c_ext_fp16_local_atomic_min_max",
      "__opencl_c_ext_fp64_global_atomic_add",
      "__opencl_c_ext_fp64_local_atomic_add",
      "__opencl_c_ext_fp64_global_atomic_min_max",
      "__opencl_c_ext_fp64_local_atomic_min_max",
      "__opencl_c_ext_fp32_global_atomic_add",
      "__opencl_c_ext_fp32_local_atomic_add",
      "__opencl_c_ext_fp32_global_atomic_min_max",
      "__opencl_c_ext_fp32_local_atomic_min_max",
      "__opencl_c_ext_image_raw10_raw12",
      "cl_khr_kernel_clock",
      "__opencl_c_kernel_clock_scope_device",
      "__opencl_c_kernel_clock_scope_work_group",
      "__opencl_c_kernel_clock_scope_sub_group",
  };
  static const char *const SinceOpenCLC30[] = {
      "__opencl_c_work_group_collective_functions",
      "__opencl_c_atomic_order_seq_cst",
      "__opencl_c_atomic_scope_device",
      "__opencl_c_atomic_scope_all_devices",
      "__opencl_c_read_write_images",
  };
  StringSet<> Has = namesOf(Device);
  std::string Text = "#include \"" + Inner.str() + "\"\n";
  auto TakeBack = [&](ArrayRef<const char *> Macros) {
    for (const char *Macro : Macros)
      if (!Has.contains(Macro))
        Text += std::string("#undef ") + Macro + "\n";
  };
  TakeBack(ForEverySpirvTarget);
  if (Language.Version >= 300)
    TakeBack(SinceOpenCLC30);
  if (!profileFor(Device).DefinesSpir)
    Text += "#undef __SPIR__\n#undef __SPIR64__\n#undef __SPIR32__\n";
  return Text;
}
