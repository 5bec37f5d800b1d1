// Accesses that a work-item surely executes, in the first iteration of every loop around them: for each of an argument's global memory
// its line, how many comparisons must hold (- if it is not certain), and whether it is in a loop.
// RUN: %clc --device pocl --variant lean-races --manifest - %s -- -cl-std=CL3.0 | %python %S/certain.py | FileCheck %s

// CHECK: always | 7:0
kernel void always(global int *a) {
  a[get_global_id(0)] = 1;
}

// CHECK: guarded | 14:1
kernel void guarded(global int *a, int n) {
  if (get_global_id(0) >= n)
    return;
  a[get_global_id(0)] = 1;
}

// Both comparisons of an `and`.
// CHECK: both | 21:2
kernel void both(global int *a, int n, int m) {
  if (get_global_id(0) < n && get_global_id(1) < m)
    a[get_global_id(0)] = 1;
}

// CHECK: after_a_branch | 28:1 30:0
kernel void after_a_branch(global int *a, int n) {
  int i = get_global_id(0);
  if (n > 5)
    a[i] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i + 100] = 2;
}

// What memory decides is not certain, what follows is.
// CHECK: by_memory | 37:0 38:- 40:0{{$}}
kernel void by_memory(global int *a, global const int *when) {
  int i = get_global_id(0);
  if (when[i] == 0.5f * i)
    a[i] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i + 100] = 2;
}

// A bounded loop ends. Its first iteration is executed if there is one.
// CHECK: loop | 48:1 in loop 49:0
kernel void loop(global int *a, global const int *b, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += b[get_global_id(0) + k];
  a[get_global_id(0)] = sum;
}

// A later iteration is not the first one.
// CHECK: later | 56:1 in loop 57:-{{$}}
kernel void later(global int *a, global const float *b, int n) {
  for (int k = 0; k < n; ++k)
    if (b[k] > 1)
      a[k] = 1;
}

// A loop that waits for something need not end.
// CHECK: waits | 63:0 in loop 65:-{{$}}
kernel void waits(global int *a, global int *flag) {
  while (atomic_add(flag, 0))
    ;
  a[get_global_id(0)] = 1;
}

// CHECK: sometimes | 70:-{{$}}
kernel void sometimes(global int *a) {
  atomic_cmpxchg(a, 0, 1);
}

// CHECK: volatile_ | 75:-{{$}}
kernel void volatile_(global volatile int *a) {
  a[get_global_id(0)] = 1;
}

// CHECK: one_of_two | 80:- 80:-{{$}}
kernel void one_of_two(global int *a, global int *b, int n) {
  (n ? a : b)[get_global_id(0)] = n;
}
