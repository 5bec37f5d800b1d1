// Several cases of a switch that lead to one place: LLVM's phi there names the
// switch's block once for each, the translator's OpPhi too, which is not valid.
// RUN: clang -c -x cl --target=spir64 -emit-llvm -O1 -w -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.in.spv %t.bc
// RUN: not spirv-val %t.in.spv
// RUN: %clc --device pocl --variant checked -o %t.spv %t.in.spv && spirv-val %t.spv
kernel void several(global int *p, int n) {
  int r = n * 3;
  switch (n) {
  case 1:
  case 5:
  case 900:
    break;
  case 7:
    r = p[1];
    break;
  default:
    r = p[2] * 5;
  }
  p[0] = r;
}
