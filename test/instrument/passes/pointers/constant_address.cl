// A pointer that is a constant is looked up at the kernel's start, behind what
// is known of its arguments, however late it is used.
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked-svm -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// RUN: %clc --variant lean-svm -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// CHECK-LABEL: @after_a_loop(
// CHECK: and i64 %warpsan.size.0, 2305843009213693951
// CHECK: %[[BASE:.*]] = ptrtoint ptr addrspace(1) %p to i64
// CHECK: sub i64 8, %[[BASE]]
// CHECK: ret void
kernel void after_a_loop(global int *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] += 1;
  *(global int *)8UL = p[n];
}

// An address in its neighborhood, by the same way.
kernel void beside_another(global int *p, int n) {
  p[n] = 1;
  *(global int *)4096UL = n;
  ((global int *)4096UL)[n] = n;
}
