// An array in a struct is held to itself, also where it begins the struct, has
// rows, or was made a pointer first; one of one element is not. Its name is told
// if the source has types, else its type.
// RUN: %clc --variant checked --manifest - %s | tr '{' '\n' | FileCheck %s
// RUN: %clc --variant checked --manifest - %s | tr '{' '\n' | FileCheck %s --check-prefix=NONE
// The same of SPIR-V that was optimized: one address where the source has two.
// RUN: clang -c -x cl --target=spir64 -O2 -emit-llvm -gline-tables-only -Xclang -finclude-default-header -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.spv %t.bc
// RUN: %clc --variant checked --manifest - %t.spv | tr '{' '\n' | FileCheck %s --check-prefix=JOINED
typedef struct {
  int first[3];
  float v[4];
  int rows[2][3];
  int rest[1];
} S;

// CHECK: "name":"held"
// CHECK: "access":"write",{{.*}}"member":"s.v"
// CHECK: "access":"write",{{.*}}"member":"s.first"
// CHECK: "access":"write",{{.*}}"member":"s.first"
// CHECK: "access":"write",{{.*}}"member":"s.rows"
// CHECK: "access":"write",{{.*}}"member":"s.v"
kernel void held(global S *s, int i) {
  s[i].v[i] = 1;
  s[i].first[i] = 1;
  s->first[i] = 1;
  s->rows[0][i] = 1;
  global float *p = s->v;
  p[i] = 1;
}

// JOINED: "name":"joined"
// JOINED: "access":"write",{{.*}}"member":"float[4]"
kernel void joined(global S *s, int i) { s[i].v[i] = 1; }

// NONE: "name":"not_held"
// NONE-NOT: "member"
kernel void not_held(global S *s, int i) {
  s->rest[i] = 1;
  s->v[2] = 1;
}
