// CuSafe's three ways to check less. A header is read where a check is made:
// through a pointer that is made of a number.
// RUN: %clc --scheme cusafe --variant checked --emit-llvm %s | FileCheck %s

// The second read is checked by the first.
// CHECK-LABEL: spir_kernel void @recurring(
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK-NOT: inttoptr
// CHECK: ret void
kernel void recurring(global int *a, global int *out, int n) {
  int x = a[n];
  if (x > 3)
    out[0] = x + *(volatile global int *)&a[n];
}

// Of a[n], a[n + 1] and a[n + 2] the middle one needs no check.
// CHECK-LABEL: spir_kernel void @neighbors(
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK-NOT: inttoptr
// CHECK: ret void
kernel void neighbors(global int *a, global int *out, int n) {
  global int *p = a + n;
  out[0] = p[1] + p[0] + p[2];
}

// In a loop that counts: the first round and the last, before it.
// CHECK-LABEL: spir_kernel void @counts(
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK: for.cond:
// CHECK-NOT: inttoptr
// CHECK: ret void
kernel void counts(global int *a, int n) {
  for (long i = 0; i < n; ++i)
    a[i] = 3;
}

// A loop that may leave before it has counted to its end: each round.
// CHECK-LABEL: spir_kernel void @leaves(
// CHECK-NOT: inttoptr
// CHECK: phi
// CHECK: inttoptr
// CHECK: ret void
kernel void leaves(global int *a, int n) {
  for (long i = 0; i < n; ++i) {
    if (a[i] == 7)
      break;
  }
}

// What a vector load checks is where its index says, not its pointer.
// CHECK-LABEL: spir_kernel void @vectors(
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK: inttoptr
// CHECK: ret void
kernel void vectors(global int *a, global int4 *out, int n) {
  out[0] = vload4(n, a) + *(global int4 *)a;
}

// LLVM counts these rounds in more than 64 bits, which no driver has: each
// round.
// CHECK-LABEL: spir_kernel void @includes(
// CHECK-NOT: inttoptr
// CHECK: phi
// CHECK: inttoptr
// CHECK-NOT: i128
// CHECK: ret void
kernel void includes(global int *a, long from, long to) {
  for (long i = from; i <= to; ++i)
    a[i] = 1;
}
