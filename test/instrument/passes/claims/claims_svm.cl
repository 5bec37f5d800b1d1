// With shared virtual memory about, where a pointer points to is part of a
// claim, and a pointer that comes from memory is checked.
// RUN: %clc --variant lean-svm --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clc --variant lean-svm --manifest - %s -- -cl-std=CL3.0 | \
// RUN:   FileCheck %s --check-prefix=CLAIMS
// RUN: %clc --variant lean-svm -o %t.spv %s -- -cl-std=CL3.0
// RUN: spirv-val --target-env opencl2.2 %t.spv

kernel void scale(global float *x, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] *= 2;
}
// CHECK-LABEL: define {{.*}} @scale(
// CHECK-NOT: icmp {{.*}}i64
// CHECK: ret void

kernel void follow(global int *global *x) { *x[get_global_id(0)] = 1; }
// CHECK-LABEL: define {{.*}} @follow(
// CHECK: call {{.*}}@warpsan_find(

// The argument's start, and the sum that it is a part of.
// CLAIMS: "name":"scale"
// CLAIMS-SAME: ["start",64,0,0,0,0]
// CLAIMS-SAME: "name":"follow"
