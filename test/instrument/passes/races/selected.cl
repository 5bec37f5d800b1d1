// For launches that prove of most accesses that they race with none, a twin
// watches the other ones alone. Its accesses have the numbers of the kernel's
// other twins.
// RUN: %clc --device pocl --variant checked-races --emit-llvm %s | FileCheck %s --check-prefix=ALL
// RUN: %clc --device pocl --variant lean-races --only tile::2,3 --emit-llvm %s | FileCheck %s --check-prefixes=CHECK,LOCAL
// RUN: %clc --device pocl --variant lean-races --only tile:1:0,1 --emit-llvm %s | FileCheck %s --check-prefixes=CHECK,GLOBAL
// RUN: %clc --device pocl --variant lean-races --emit-llvm %s | FileCheck %s --check-prefix=NONE
// RUN: %clc --device pocl --variant lean-races --only tile::2,3 --manifest - %s | \
// RUN:   tr '{' '\n' | FileCheck %s --check-prefix=MANIFEST
// RUN: %clc --device pocl --variant lean-races --manifest - %s | \
// RUN:   tr '{' '\n' | FileCheck %s --check-prefix=DESCRIBED

// NONE-NOT: call {{.*}}@warpsan_watch

// What watches describes no races, and says how much local memory it takes.
// MANIFEST-NOT: "races":
// MANIFEST: "local_bytes":
// DESCRIBED-NOT: "local_bytes":
// DESCRIBED: "races":
// DESCRIBED-NOT: "local_bytes":

// ALL-LABEL: define {{.*}}@tile(
// CHECK-LABEL: define {{.*}}@tile(
kernel void tile(global int *in, global int *out) {
  local int t[16];
  int g = get_global_id(0), l = get_local_id(0);
  // ALL: call {{.*}}@warpsan_watch_global({{.*}}, i32 0)
  // GLOBAL: call {{.*}}@warpsan_watch_global({{.*}}, i32 0)
  // LOCAL-NOT: @warpsan_watch_global
  // ALL: call {{.*}}@warpsan_watch({{.*}}, i32 1)
  // GLOBAL: call {{.*}}@warpsan_watch({{.*}}, i32 1)
  t[l & 15] = in[g];
  // ALL: call {{.*}}@warpsan_watch({{.*}}, i32 2)
  // LOCAL: call {{.*}}@warpsan_watch({{.*}}, i32 2)
  // GLOBAL-NOT: @warpsan_watch
  // ALL: call {{.*}}@warpsan_watch_global({{.*}}, i32 3)
  // LOCAL: call {{.*}}@warpsan_watch_global({{.*}}, i32 3)
  out[g] = t[15 - (l & 15)];
  // CHECK: ret void
}
