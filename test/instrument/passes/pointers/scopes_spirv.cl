// Markers of SPIR-V count if no optimizer has moved what they are about.
// DEFINE: %{spirv} = clang -c -x cl --target=spir64 -emit-llvm
// RUN: %{spirv} -O1 -Xclang -disable-llvm-passes -w -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.spv %t.bc
// RUN: %clc --variant checked --emit-llvm %t.spv > %t.ll
// RUN: FileCheck %s --check-prefixes=CHECK,WRITTEN < %t.ll
// RUN: %{spirv} -O2 -w -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.spv %t.bc
// RUN: spirv-dis %t.spv -o %t.spvasm
// RUN: FileCheck %s --check-prefix=MARKERS < %t.spvasm
// RUN: %clc --variant checked --emit-llvm %t.spv > %t.ll
// RUN: FileCheck %s --check-prefixes=CHECK,MOVED < %t.ll

// MARKERS: OpLifetimeStart
// CHECK-LABEL: @late(
// WRITTEN: warpsan.life
// MOVED-NOT: warpsan.life
kernel void late(global int *out, int n) {
  int *p[2], y[4];
  p[0] = p[1] = y;
  {
    int x[4];
    x[n & 3] = n;
    p[n & 1] = x;
    out[2] = p[out[1]][n];
  }
  out[0] = p[1][n];
}

// Through a function that is still one.
// CHECK-LABEL: @returned(
// CHECK: warpsan.life
__attribute__((noinline)) void make(int **to, int v) {
  int made[4];
  made[v & 3] = v;
  *to = made;
}
kernel void returned(global int *out, int n) {
  int *p[2];
  make(p + (n & 1), n);
  out[0] = p[n & 1][1];
}
