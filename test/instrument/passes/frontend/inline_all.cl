// Everything goes into the kernels: noinline, C99 inline without a definition,
// kernels that kernels call. Kernels stay.
// RUN: %clc --emit-llvm %s | FileCheck %s --implicit-check-not=@noisy --implicit-check-not=@plain --implicit-check-not=@unused

__attribute__((noinline)) void noisy(global int *a) {
  a[1] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
inline int plain(int x) { return x * 3; }
int unused(int x) { return x; }

// CHECK-LABEL: define {{.*}}spir_kernel void @inner(
// CHECK: store i32
kernel void inner(global int *a, int n) { a[0] = plain(n); }

// CHECK-LABEL: define {{.*}}spir_kernel void @outer(
// CHECK-NOT: call {{.*}}@inner
// CHECK: call {{.*}}barrier
kernel void outer(global int *a) {
  inner(a, 2);
  noisy(a);
}
// CHECK-NOT: noinline
