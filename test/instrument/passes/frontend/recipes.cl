// Each driver gets the SPIR-V that it compiles best.
// RUN: %clc --device pocl -o %t.pocl %s && spirv-dis %t.pocl | FileCheck %s --check-prefix=POCL
// RUN: %clc --device rusticl -o %t.rusticl %s && spirv-dis %t.rusticl | FileCheck %s --check-prefix=RUSTICL
// RUN: %clc --device intel -o %t.intel %s && spirv-dis %t.intel | FileCheck %s --check-prefix=INTEL
// RUN: %clc --device generic -o %t.generic %s && spirv-dis %t.generic | FileCheck %s --check-prefix=GENERIC

// POCL: Version: 1.{{[0-2]$}}
// POCL-DAG: OpExtension "SPV_INTEL_fp_fast_math_mode"
// POCL-DAG: OpExtension "SPV_KHR_no_integer_wrap_decoration"
// POCL-DAG: FPFastMathMode AllowContract
// POCL-DAG: NoSignedWrap
// POCL: OpFMul
// POCL: OpFAdd

// RUSTICL-NOT: SPV_INTEL
// RUSTICL: OpExtension "SPV_KHR_no_integer_wrap_decoration"
// RUSTICL-NOT: mad
// RUSTICL: OpFMul
// RUSTICL: OpFAdd

// INTEL-NOT: OpExtension
// INTEL-NOT: NoSignedWrap
// INTEL: OpExtInst {{.*}} fma

// GENERIC: Version: 1.0
// GENERIC-NOT: OpExtension
// GENERIC-NOT: mad
// GENERIC: OpFMul
// GENERIC: OpFAdd

// No debug information reaches a driver.
// POCL-NOT: OpLine
kernel void k(global float *a, int n) {
  for (int i = 0; i < n; i++)
    a[i + 1] = a[i] * a[i + 2] + 1.0f;
}

// Nobody can count the rounds of a loop in a loop for Intel's runtime.
// RUN: %clc --device intel --variant checked --emit-llvm %s | FileCheck %s --check-prefix=HIDDEN
// RUN: %clc --device pocl --variant checked --emit-llvm %s | FileCheck %s --check-prefix=SHOWN
// HIDDEN-LABEL: @inner(
// HIDDEN: [[ZERO:%.*]] = load i32, ptr addrspace(1)
// HIDDEN: icmp slt i32 %{{.*}}, %n
// HIDDEN: [[LIMIT:%.*]] = add i32 4, [[ZERO]]
// HIDDEN: icmp slt i32 %{{.*}}, [[LIMIT]]
// SHOWN-LABEL: @inner(
// SHOWN: icmp slt i32 %{{.*}}, 4
kernel void inner(global int *a, int n) {
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 4; ++k)
      a[k] = r + k;
}
