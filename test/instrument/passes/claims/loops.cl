// Loops carry the hints of the source and nothing else.
// RUN: %clc --device pocl -o %t %s && spirv-dis %t | FileCheck %s
// RUN: spirv-val %t
// CHECK-COUNT-1: OpLoopMerge {{.*}} Unroll
// CHECK-NOT: OpLoopMerge
kernel void k(global int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] += 1;
#pragma unroll
  for (int i = 0; i < n; i++)
    a[i] *= 3;
}
