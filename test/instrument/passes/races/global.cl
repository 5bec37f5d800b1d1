// Accesses to global memory are watched for data races, by words that the layer
// lays out; barriers that order it are counted apart from those of local memory.
// RUN: %clc --device pocl --variant checked-races --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s
// RUN: %clc --device rusticl --variant checked-races --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=PLAIN
// RUN: %clc --device pocl --variant checked-races --manifest - %s -- -cl-std=CL3.0 | \
// RUN:   tr '{' '\n' | grep -E '"name":"[a-z_]+","(file|attributes)|shadow' | FileCheck %s --check-prefix=MANIFEST

// Atomics of 64 bits are not called where a device does not have them.
// PLAIN-NOT: call {{.*}}AtomicCompareExchangePU3AS1Vm
// PLAIN: call {{.*}}@warpsan_watch_global_plain(
// PLAIN-NOT: call {{.*}}AtomicCompareExchangePU3AS1Vm

// The granule is that of the smallest access to any of them. What is not
// accessed has none.
// MANIFEST: "name":"two"
// MANIFEST: "kind":"shadow_base","arg":0,"granule":2}
// MANIFEST: "kind":"shadow_base","arg":1,"granule":2}
// MANIFEST: "kind":"shadow"}
// MANIFEST: "kind":"shadow_launch"}
// CHECK-LABEL: define {{.*}}@two(
kernel void two(global int *a, global short *b, global int *unused) {
  int g = get_global_id(0);
  // A read is kind 0 to its own work-group and to others.
  // CHECK: call {{.*}}@warpsan_watch_global(ptr addrspace(1) %warpsan.shadow, i64 %warpsan.shadow_launch, {{.*}}, i64 1, i32 0,
  // CHECK: call {{.*}}@warpsan_watch_global({{.*}}, i64 2, i32 5,
  a[g] = b[g + 1];
  // CHECK: call {{.*}}barrierj(i32 noundef 1)
  // CHECK-NOT: %warpsan.global_epoch
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: call {{.*}}barrierj(i32 noundef 2)
  // CHECK-NEXT: load volatile i32, ptr %warpsan.global_epoch
  // CHECK-NEXT: add i32 {{.*}}, 1
  barrier(CLK_GLOBAL_MEM_FENCE);
  // 16: this store of a constant does not race with itself.
  // CHECK: call {{.*}}@warpsan_watch_global({{.*}}, i64 1, i32 21,
  b[0] = 7;
  // CHECK-LABEL: define
}

// MANIFEST: "name":"scopes"
kernel void scopes(global atomic_int *a, global atomic_int *b) {
  // To other work-groups an atomic of the work-group's scope is a write.
  // CHECK: call {{.*}}@warpsan_watch_global({{.*}}, i64 1, i32 7,
  atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_work_group);
  // CHECK: call {{.*}}@warpsan_watch_global({{.*}}, i64 1, i32 15,
  atomic_fetch_add_explicit(b, 1, memory_order_relaxed, memory_scope_device);
}
