// A buffer may have marked objects: each access to it is looked up, for every
// pointer that can belong to it, and what is of no buffer is not.
// RUN: %clc --variant checked-objects --emit-llvm %s -- -cl-std=CL3.0 | \
// RUN:   FileCheck %s
// RUN: %clc --variant checked-objects --manifest - %s -- -cl-std=CL3.0 | \
// RUN:   FileCheck %s --check-prefix=HIDDEN
// RUN: %clc --variant checked-objects -o %t.spv %s -- -cl-std=CL3.0
// RUN: spirv-val --target-env opencl2.2 %t.spv
// Twins for other launches know nothing of it.
// RUN: %clc --variant checked-svm --emit-llvm %s -- -cl-std=CL3.0 | \
// RUN:   FileCheck %s --check-prefix=OTHERS
// RUN: %clc --variant lean --emit-llvm %s -- -cl-std=CL3.0 | \
// RUN:   FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: warpsan.objects
// OTHERS-NOT: call {{.*}}@warpsan_outside

kernel void one(global int *x, int n) { x[n] = 1; }
// CHECK-LABEL: define {{.*}} @one(
// CHECK: load volatile i64
// CHECK: call {{.*}}@warpsan_outside(
// CHECK-NOT: call {{.*}}@warpsan_outside(

kernel void either(global int *x, global int *y, int n) {
  (n > 3 ? x : y)[n] = 1;
}
// CHECK-LABEL: define {{.*}} @either(
// CHECK: call {{.*}}@warpsan_outside(
// CHECK-NOT: call {{.*}}@warpsan_outside(

kernel void local_memory(local int *x, int n) { x[n] = 1; }
// CHECK-LABEL: define {{.*}} @local_memory(
// CHECK-NOT: call {{.*}}@warpsan_outside(
// CHECK: ret void

// HIDDEN: "name":"one"
// HIDDEN-SAME: {"kind":"objects","arg":0}
// HIDDEN-SAME: "name":"either"
// HIDDEN-SAME: {"kind":"objects","arg":0}
// HIDDEN-SAME: {"kind":"objects","arg":1}
// HIDDEN-SAME: "name":"local_memory"
// HIDDEN-NOT: "objects"
