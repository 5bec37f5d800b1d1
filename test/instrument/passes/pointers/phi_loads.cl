// A load through one of several pointers is reported where it is loaded, not
// where the pointer was chosen.
// RUN: %clc --variant checked --manifest - %s | sed 's/.*"locations"//' | tr '{' '\n' | FileCheck %s
typedef struct { int first, second; } pair;

kernel void chosen(global int *out, int pick) {
  int x = 3;
  private int *q = pick ? 0 : &x;
  out[0] = *q;
  // CHECK: "line":[[#@LINE-1]],"column":12,
}

kernel void chosen_member(global int *out, int pick) {
  pair x = {3, 4};
  private pair *q = pick ? 0 : &x;
  out[0] = q->second;
  // CHECK: "line":[[#@LINE-1]],"column":15,
}
