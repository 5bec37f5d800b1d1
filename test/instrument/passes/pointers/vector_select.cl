// A scalar condition that chooses between vectors: SPIR-V before 1.4 wants one
// condition for each element.
// RUN: %clc --device pocl -o %t %s && spirv-val %t && spirv-dis %t | FileCheck %s
// CHECK: OpSelect %v4
kernel void k(global int4 *a, int n) {
  int4 x = a[0];
  if (n > 3)
    x = a[1] - 1;
  int4 y = x + 1;
  if (n < 9)
    y = x;
  a[2] = y;
}
