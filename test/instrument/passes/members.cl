// An array in a struct is held to itself; one of one element, a row of an array
// of arrays and an array whose address was taken are not.
// RUN: %clc --variant checked --manifest - %s | tr '{' '\n' | FileCheck %s
// RUN: %clc --variant checked --manifest - %s | tr '{' '\n' | FileCheck %s --check-prefix=NONE
typedef struct {
  int first[3];
  float v[4];
  int rows[2][3];
  int rest[1];
} S;

// CHECK: "name":"held"
// CHECK: "access":"write",{{.*}}"member":"float[4]"
// CHECK: "access":"write",{{.*}}"member":"int[3]"
kernel void held(global S *s, int i) {
  s[i].v[i] = 1;
  s[i].first[i] = 1;
}

// NONE: "name":"not_held"
// NONE-NOT: "member"
kernel void not_held(global S *s, int i) {
  s->rest[i] = 1;
  s->rows[0][i] = 1;
  global float *p = s->v;
  p[i] = 1;
  s->v[2] = 1;
}
