// Checks between the barriers of a loop are remembered, and told at the end.
// RUN: %clc --variant lean --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s --check-prefix=NOW
// RUN: %clc --variant lean -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// One check for what is read and written; both accesses are told.
// CHECK-LABEL: @between(
// CHECK: %warpsan.failed = alloca i32
// CHECK: %[[BAD:.*]] = icmp uge i64 %[[AT:[a-z0-9.]+]],
// CHECK: select i1 {{.*}}, i64 %[[AT]]
// CHECK: br i1 %[[BAD]]
// CHECK: br i1 %[[BAD]]
// CHECK-NOT: select i1
// CHECK: @_Z7barrierj
// CHECK: load i32, ptr %warpsan.failed
// CHECK: call {{.*}}@warpsan_report
// CHECK: call {{.*}}@warpsan_report
// CHECK-NOT: call {{.*}}@warpsan_report
// CHECK: ret void
// NOW-LABEL: @between(
// NOW-NOT: warpsan.failed
// NOW: ret void
kernel void between(global const int *at, local int *t, int rounds) {
  int l = get_local_id(0);
  for (int k = 0; k < rounds; ++k) {
    t[at[l]] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// No barrier in the loop.
// CHECK-LABEL: @alone(
// CHECK-NOT: warpsan.failed
// CHECK: ret void
kernel void alone(global const int *at, global int *t, int rounds) {
  for (int k = 0; k < rounds; ++k)
    t[at[k]] = 1;
}
