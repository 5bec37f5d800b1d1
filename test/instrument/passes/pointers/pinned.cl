// Accesses that are known to be out of bounds reach instrumentation; what is in
// bounds, or never executed, is optimized as if they were not there. What is
// found on each driver: test/zoo/cases/folded.py.
// RUN: %clc --variant checked --emit-llvm %s > %t.ll
// RUN: FileCheck %s --implicit-check-not=warpsan.pinned < %t.ll
// RUN: %clc --variant plain --emit-llvm %s | FileCheck %s --check-prefix=PLAIN
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json

constant int table[4] = {11, 22, 33, 44};
void set(int *p, int i) { p[i] = 5; }

// Site 4: the store is not made, whatever happens.
// CHECK-LABEL: @past(
// CHECK: alloca [4 x i32]
// CHECK: call spir_func void @warpsan_report({{.*}}, i32 1, i32 {{[0-9]+}}, i32 {{[0-9]+}}, i64 16, i64 16, i64 4
// CHECK-NOT: store i32 5
// CHECK: ret void
// PLAIN-LABEL: @past(
// PLAIN-NOT: volatile
// PLAIN: store i32 5
// PLAIN: ret void
kernel void past(global int *out) {
  int t[4];
  t[0] = 1; t[1] = 2; t[2] = 3; t[3] = 4;
  set(t, 4);
  out[0] = t[0];
}

// CHECK-LABEL: @inside(
// CHECK-NOT: alloca [4 x i32]
// CHECK: store i32 5, ptr addrspace(1) %out
// CHECK: ret void
kernel void inside(global int *out) {
  int t[4];
  t[0] = 1; t[1] = 2; t[2] = 3; t[3] = 4;
  set(t, 3);
  out[0] = t[3];
}

// Once the branch is decided, nothing keeps the array in memory.
// CHECK-LABEL: @never(
// CHECK-NOT: alloca [4 x i32]
// CHECK: store i32 1, ptr addrspace(1) %out
// CHECK: ret void
void first(int *p, int n) {
  p[0] = 1;
  if (n > 4) p[4] = 5;
}
kernel void never(global int *out) {
  int t[4];
  first(t, 4);
  out[0] = t[0];
}

// CHECK-LABEL: @constants(
// CHECK: store i32 44, ptr addrspace(1) %out
// CHECK: call spir_func void @warpsan_report({{.*}}, i64 16, i64 16, i64 4
// CHECK: ret void
int at(int i) { return table[i]; }
kernel void constants(global int *out) {
  out[0] = at(3);
  out[1] = at(4);
}

// A branch around `unreachable` limits nothing: drivers leave it out.
// MANIFEST: "name":"believed"
// MANIFEST: "conditions":{{\[\[0,0,0,0,0\]\]}}
kernel void believed(global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) {
    out[n] = 1;
    __builtin_unreachable();
  }
  out[i] = 2;
}
