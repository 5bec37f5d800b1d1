// Accesses to local memory are watched for data races; barriers that order it
// are counted. Kernels that synchronize by more are not judged.
// RUN: %clc --device pocl --variant checked-races --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clc --device pocl --variant checked-races --manifest - %s -- -cl-std=CL3.0 | \
// RUN:   tr '{' '\n' | grep -E 'races_unjudged|"name":"[a-z_]+","(file|attributes)|local_shadow' | \
// RUN:   FileCheck %s --check-prefix=MANIFEST
// RUN: not %clc --variant lean-svm-races %s 2>&1 | FileCheck %s --check-prefix=LEAN
// LEAN: there is no variant 'lean-svm-races'

// The shadow of 16 chars has 16 words, and 8 for the sites.
// CHECK: @warpsan.shadow.variable = internal addrspace(3) global [24 x i32]

// CHECK-LABEL: define {{.*}}@variable(
kernel void variable(global int *out) {
  local char t[16];
  int l = get_local_id(0);
  // CHECK: call {{.*}}@warpsan_clear_shadow({{.*}}@warpsan.shadow.variable, i64 16,
  // CHECK-NEXT: call {{.*}}ControlBarrier
  // A write is kind 1, to work-items of the group and, two bits higher, to others. 16: of a constant.
  // CHECK: call {{.*}}@warpsan_watch({{.*}}@warpsan.shadow.variable, i64 16, {{.*}}, i64 1, i32 21,
  t[l] = 1;
  // Not of local memory.
  // CHECK: call {{.*}}barrierj(i32 noundef 2)
  // CHECK-NOT: %warpsan.epoch
  barrier(CLK_GLOBAL_MEM_FENCE);
  // CHECK: call {{.*}}barrierj(i32 noundef 1)
  // CHECK-NEXT: load volatile i32, ptr %warpsan.epoch
  // CHECK-NEXT: add i32 {{.*}}, 1
  // CHECK-NEXT: store volatile i32 {{.*}}, ptr %warpsan.epoch
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: call {{.*}}@warpsan_watch({{.*}}, i64 1, i32 0,
  out[get_global_id(0)] = t[15 - l];
}

// Stores under different conditions stay two accesses.
// CHECK-LABEL: define {{.*}}@conditional(
kernel void conditional(global int *out, int n) {
  local int t[16];
  int l = get_local_id(0);
  // CHECK-COUNT-2: call {{.*}}@warpsan_watch({{.*}}, i64 1, i32 5,
  if (get_group_id(0) == n)
    t[l] = l;
  if (l == 3)
    t[l] = l;
  // CHECK: call {{.*}}@warpsan_watch({{.*}}, i64 1, i32 0,
  out[get_global_id(0)] = t[15 - l];
  // CHECK-LABEL: define
}

// MANIFEST: "kind":"local_shadow","arg":1,"granule":2}
// MANIFEST-NOT: races_unjudged
kernel void argument(global int *out, local int *t) {
  local short *s = (local short *)t;
  t[get_local_id(0)] = s[0];
}

// MANIFEST: "kind":"local_shadow","arg":1,"granule":0}
// MANIFEST: "races_unjudged":"it calls functions of sub-groups"
kernel void sub_groups(global int *out, local int *t) {
  t[get_sub_group_local_id()] = 1;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[0];
}

// MANIFEST: "races_unjudged":"its atomics acquire or release"
kernel void ordered_atomics(global int *out, local atomic_int *t) {
  atomic_store_explicit(t, 1, memory_order_release, memory_scope_work_group);
}

// MANIFEST-NOT: races_unjudged
// MANIFEST: "name":"relaxed_atomics"
// MANIFEST-NOT: races_unjudged
kernel void relaxed_atomics(global int *out, local int *t, local atomic_int *u) {
  atomic_add(t, 1);
  atomic_fetch_add_explicit(u, 1, memory_order_relaxed, memory_scope_work_group);
}

// MANIFEST: "races_unjudged":"it has fences and atomics"
kernel void fences(global int *out, local int *t) {
  atomic_add(t, 1);
  mem_fence(CLK_LOCAL_MEM_FENCE);
}
