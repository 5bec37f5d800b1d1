// A SPIR-V extension is used only if the device lists what it belongs to.
// RUN: %clc --device pocl -o %t %s -- -cl-std=CL3.0 && spirv-dis %t | FileCheck %s
// RUN: not %clc --device rusticl -o %t %s -- -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=WITHOUT
// CHECK: OpExtension "SPV_EXT_shader_atomic_float_add"
// WITHOUT: cannot be instrumented
kernel void k(global atomic_float *a) {
  atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_device);
}
