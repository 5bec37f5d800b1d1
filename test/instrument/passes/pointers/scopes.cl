// Private variables after their scope. One that an address may outlive has a
// number, odd while it lives; a pointer carries the number of when it was made.
// RUN: %clc --variant checked --emit-llvm %s > %t.ll
// RUN: FileCheck %s --implicit-check-not=warpsan.taken < %t.ll
// RUN: %clc --variant plain --emit-llvm %s > %t.ll
// RUN: FileCheck %s --check-prefix=PLAIN < %t.ll
// RUN: %clc --variant checked -o %t.spv %s
// RUN: spirv-val --target-env opencl2.2 %t.spv
// RUN: spirv-dis %t.spv -o %t.spvasm
// RUN: FileCheck %s --check-prefix=SPIRV < %t.spvasm
// RUN: %clc --variant checked --manifest %t.json -o %t.spv %s
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json

// PLAIN-NOT: warpsan.taken
// PLAIN-NOT: warpsan.life
// SPIRV-NOT: OpLifetime

// CHECK-LABEL: @block(
// CHECK: %[[LIFE:warpsan.life]] = alloca i32
// CHECK: %x = alloca i32
// CHECK: store i32 0, ptr %[[LIFE]]
// CHECK: or i32 %{{.*}}, 1
// CHECK: call void @llvm.lifetime.start
// CHECK: %[[TAKEN:.*]] = load i32, ptr %[[LIFE]]
// CHECK: %[[ALIVE:.*]] = trunc i32 %[[TAKEN]] to i1
// CHECK: %[[MADE:.*]] = select i1 %[[ALIVE]], i32 %[[TAKEN]], i32 0
// CHECK: and i32 %{{.*}}, -2
// CHECK: call void @llvm.lifetime.end
// CHECK: %[[NOW:.*]] = load i32, ptr %[[LIFE]]
// CHECK: %[[HAS:.*]] = icmp ne i32 %[[MADE]], 0
// CHECK: %[[OTHER:.*]] = icmp ne i32 %[[MADE]], %[[NOW]]
// CHECK: %[[ENDED:.*]] = and i1 %[[HAS]], %[[OTHER]]
// CHECK: %[[UNLIKELY:.*]] = call i1 @llvm.expect.i1(i1 %[[ENDED]], i1 false)
// CHECK: br i1 %[[UNLIKELY]]
// Site 3, test 5.
// CHECK: call spir_func void @warpsan_report({{.*}}, i32 1, i32 29,
// MANIFEST: "name":"x",{{.*}}"ended":[[END:[0-9]+]]
kernel void block(global int *out, int n) {
  int *p;
  {
    int x = n;
    p = &x;
    x += 1;
  }
  out[0] = *p;
}

// In the next pass the variable lives, but it is another one.
// CHECK-LABEL: @next_pass(
// CHECK: phi i32 [ 0, %entry ], [ %[[MADE:.*]], %{{.*}} ]
// CHECK: icmp ne i32
// CHECK: %[[MADE]] = select
kernel void next_pass(global int *out, int n) {
  int *p;
  for (int i = 0; i < n; ++i) {
    int x = i * 3;
    if (i > 0)
      out[i] = *p;
    p = &x;
  }
}

// CHECK-LABEL: @returned(
// CHECK: %warpsan.life = alloca i32
int *make(int v) {
  int made[4];
  made[v & 3] = v;
  return made;
}
kernel void returned(global int *out, int n) { out[0] = make(n)[1]; }

// The number is kept beside the root's, in the shadow of what holds the
// pointer.
// CHECK-LABEL: @kept(
// CHECK: shl i64 %{{.*}}, 32
// CHECK: lshr i64 %{{.*}}, 32
kernel void kept(global int *out, int n) {
  int *p[2], y = 4;
  p[0] = p[1] = &y;
  {
    int x = n;
    p[n & 1] = &x;
  }
  out[0] = *p[1];
}

// Nothing outlives anything from here on: no numbers, and values in registers.
// CHECK-LABEL: @in_scope(
// CHECK-NOT: warpsan.life
// CHECK-NOT: %x = alloca
kernel void in_scope(global int *out, int n) {
  for (int i = 0; i < n; ++i) {
    int x = i;
    int *p = &x;
    int **q = &p;
    **q += 1;
    out[i] = *p;
  }
}

// CHECK-LABEL: @chosen(
// CHECK-NOT: warpsan.life
int least(int *a, int *b) { return *a < *b ? *a : *b; }
kernel void chosen(global int *out, int n) {
  for (int i = 0; i < n; ++i) {
    int x[2], y = i;
    x[i & 1] = n;
    int *p = i > 3 ? x : &y;
    out[i] = *p + least(&y, p);
  }
}

// Made again before each use.
// CHECK-LABEL: @again(
// CHECK-NOT: warpsan.life
kernel void again(global int *out, int n) {
  int *p = 0;
  for (int i = 0; i < n; ++i) {
    int x = i;
    p = &x;
    if (i == 4)
      continue;
    out[i] = *p;
  }
}

// To the end of the kernel there is nothing to come too late.
// CHECK-LABEL: @whole_kernel(
// CHECK-NOT: warpsan.life
kernel void whole_kernel(global int *out, int n) {
  int a[4], b[4];
  int *rows[2] = {a, b};
  for (int i = 0; i < 8; ++i)
    rows[i & 1][i >> 1] = i;
  out[0] = rows[n & 1][n & 3];
}

// The declaration was jumped over: clang does not say when it lives.
// CHECK-LABEL: @jumped_over(
// CHECK-NOT: warpsan.life
kernel void jumped_over(global int *out, int n) {
  int *p = 0;
  switch (n) {
    int x;
  case 1:
    x = 2;
    p = &x;
  default:
    out[0] = p ? *p : 0;
  }
}
// CHECK: define
