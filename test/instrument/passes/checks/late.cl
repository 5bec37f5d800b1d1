// Checks between the barriers of a loop are remembered, and told at the end.
// RUN: %clc --variant lean --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s --check-prefix=NOW
// RUN: %clc --variant lean -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// Intel's runtime makes vectors of work-items: there as many as can be are told
// so, by one call of a function that asks for the work-item's numbers itself.
// RUN: %clc --variant checked --device intel --emit-llvm %s | FileCheck %s --check-prefix=VECTORS
// RUN: %clc --variant checked --device intel -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// What No-FAT tells of a member does not follow from the tag that is kept.
// RUN: %clc --variant checked --device intel --scheme no-fat --emit-llvm %s | FileCheck %s --check-prefix=NOFAT

// One check for what is read and written; both accesses are told.
// CHECK-LABEL: @between(
// CHECK: %[[PLACE:warpsan.kept]] = alloca i64
// CHECK: store i64 [[NONE:-[0-9]+]], ptr %[[PLACE]]
// CHECK: %[[BAD:.*]] = icmp uge i64 %[[AT:[a-z0-9.]+]],
// CHECK: select i1 {{.*}}, i64 %[[AT]]
// CHECK: br i1 %[[BAD]]
// CHECK: br i1 %[[BAD]]
// CHECK-NOT: select i1
// CHECK: @_Z7barrierj
// CHECK: %[[FIRST:.*]] = load i64, ptr %[[PLACE]]
// CHECK: icmp ne i64 %[[FIRST]], [[NONE]]
// CHECK: call {{.*}}@warpsan_report
// CHECK: call {{.*}}@warpsan_report
// CHECK-NOT: call {{.*}}@warpsan_report
// CHECK: ret void
// NOW-LABEL: @between(
// NOW-NOT: warpsan.kept
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
// CHECK-NOT: warpsan.kept
// CHECK: ret void
kernel void alone(global const int *at, global int *t, int rounds) {
  for (int k = 0; k < rounds; ++k)
    t[at[k]] = 1;
}

// What is bad is not read: an address that is chosen would be gathered.
// VECTORS-LABEL: @alone(
// VECTORS-NOT: call {{.*}}@warpsan_report
// VECTORS: %[[BAD:.*]] = icmp uge i64 %[[AT:[a-z0-9.]+]],
// VECTORS: select i1 {{.*}}, i64 %[[AT]]
// VECTORS: br i1
// VECTORS: phi i32 [ 0,
// VECTORS: call {{.*}}@alone.warpsan_tell(
// VECTORS-NOT: call {{.*}}@warpsan_report
// VECTORS: ret void

// An array in a struct: its offset is kept, and where in the argument that is.
// VECTORS-LABEL: define {{.*}}@member(
// VECTORS-NOT: ret void
// VECTORS: call {{.*}}@member.warpsan_tell(
// NOFAT-LABEL: define {{.*}}@member(
// NOFAT-NOT: ret void
// NOFAT: call {{.*}}@warpsan_report_here(
struct pair {
  int first[4], second[4];
};
kernel void member(global struct pair *p, int i) { p->first[i] = 1; }

// VECTORS-LABEL: define internal spir_func void @alone.warpsan_tell(
// VECTORS: %warpsan.once = alloca i32
// VECTORS: call {{.*}}@warpsan_report_here(
// VECTORS: call {{.*}}@warpsan_report_here(
// VECTORS-NOT: call {{.*}}@warpsan_report_here(
// VECTORS: ret void
