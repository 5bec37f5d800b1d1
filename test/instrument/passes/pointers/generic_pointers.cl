// Once all is inlined, a generic pointer's origin is in sight.
// RUN: %clc --device pocl --emit-llvm %s -- -cl-std=CL3.0 | FileCheck %s
// CHECK-NOT: load {{.*}}addrspace(4)
// CHECK-NOT: addrspacecast
int first(int *p) { return p[0]; }
kernel void k(global int *a, local int *l) {
  int mine[2] = {a[5], 1};
  a[1] = first(a) + first(l) + first(mine + a[4]);
}
