// The preprocessor sees what the device has, not what SPIR-V could have.
// RUN: %clc --device rusticl --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=RUSTICL
// RUN: %clc --device pocl --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=POCL
// RUN: %clc --device intel --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=INTEL
// RUN: %clc --device generic --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=GENERIC
kernel void k(global int *a) {
  int has = 0;
#ifdef cl_khr_fp64
  has |= 1;
#endif
#ifdef cl_khr_subgroup_shuffle
  has |= 2;
#endif
#ifdef cl_khr_subgroup_rotate
  has |= 4;
#endif
#ifdef __opencl_c_work_group_collective_functions
  has |= 8;
#endif
#ifdef __opencl_c_ext_fp32_global_atomic_add
  has |= 16;
#endif
#ifdef __IMAGE_SUPPORT__
  has |= 32;
#endif
#ifdef __SPIR__
  has |= 64;
#endif
#ifdef cl_khr_il_program
  has |= 128;
#endif
  // RUSTICL: store i32 162,
  // POCL: store i32 187,
  // INTEL: store i32 239,
  // GENERIC: store i32 128,
  a[0] = has;
}
