// Intel's runtime executes loads of private memory without the mask of the
// branch around them. There a bad one has its index chosen as zero, and no
// branch; other memory and other drivers have the branch.
// RUN: %clc --variant checked --device intel --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --device intel -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// RUN: %clc --variant checked --device pocl --emit-llvm %s | FileCheck %s --check-prefix=BRANCH

// CHECK-LABEL: @indexed(
// CHECK: %[[BAD:.*]] = icmp uge i64 %arrayidx3.idx, 29
// CHECK: %[[INDEX:.*]] = select i1 %[[BAD]], i64 0, i64
// CHECK: %[[AT:.*]] = getelementptr [8 x i32], ptr %t, i64 0, i64 %[[INDEX]]
// CHECK: %[[GOT:.*]] = load i32, ptr %[[AT]]
// CHECK: select i1 %[[BAD]], i32 0, i32 %[[GOT]]
// BRANCH-LABEL: @indexed(
// BRANCH: %[[BAD:.*]] = icmp uge i64 %arrayidx3.idx, 29
// BRANCH: br i1
// BRANCH: load i32, ptr %arrayidx3
kernel void indexed(global int *a, long i) {
  int t[8];
  for (int k = 0; k < 8; ++k)
    t[k] = a[k];
  a[0] = t[i];
}

// A constant index that is outside leaves nothing of the variable to read.
// CHECK-LABEL: @beyond(
// CHECK: %[[OWN:warpsan.placeholder]] = alloca i32
// CHECK: select i1 {{.*}}, ptr %[[OWN]], ptr
kernel void beyond(global int *a, long i) {
  int t[8];
  for (int k = 0; k < 8; ++k)
    t[k] = a[k];
  a[0] = (t + 9)[i];
}
