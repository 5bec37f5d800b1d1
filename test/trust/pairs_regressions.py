# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of defects that WarpSan had; pairs.py says what the columns mean.

With "-" as the object, the wrong launch is undefined in a way that leaves open
whether there is a bad access: memory must stay intact, a finding is optional.
"""

REGRESSIONS = [
    # A proof bounded a choice by facts about another value modulo 2^32.
    ("choice_representative", "a", "128/64", "b372 i{-5|7}", """
kernel void K(global int *a, int n) {
  int x = (int)get_global_id(0) + n;
  int y = x >= 0 ? x : 7;
  if (y < 100) a[y - 7] = 1;
}"""),
    # A counter was taken for the remainder alone, though other values come in.
    ("remainder_or_other", "a", "1/1", "b24 i6 i{2147483647|3}", """
kernel void K(global int *a, int n, int other) {
  int x = 0;
  for (int r = 0; r < 4; ++r) {
    if (x < n) a[x] = r;
    int next = (int)((uint)x + 1u) % n;
    x = (r & 1) ? next : other;
  }
}"""),
    # A proof wrapped signed numbers, drivers' compilers know that they do not.
    ("signed_overflow", "-", "1/1", "b256 i{2147483600|5}", """
kernel void K(global int *a, int n) {
  if (n + 100 > 50) a[n >> 17] = 1;
}"""),
    # Bad accesses were deleted before instrumentation.
    ("constant_index_private", "t", "64/64", "b256", """
kernel void K(global int *o) {
  int t[4];
  for (int i = 0; i < 4; ++i) t[i] = i + get_global_id(0);
  o[get_global_id(0)] = t[PICK(4, 3)];
}"""),
    ("negative_index_private", "t", "64/64", "b256", """
kernel void K(global int *o) {
  int t[4] = {1, 2, 3, 4};
  t[PICK(-1, 0)] = get_global_id(0);
  o[get_global_id(0)] = t[1];
}"""),
    ("helper_fills_private", "t", "64/64", "b256", """
void K_fill(int *p, int n) { for (int i = 0; i <= n; ++i) p[i] = i; }
kernel void K(global int *o) {
  int t[2];
  K_fill(t, PICK(2, 1));
  o[get_global_id(0)] = t[0] + t[1];
}"""),
    ("constant_index_member", "", "64/64", "b256", """
kernel void K(global int *o) {
  struct { int a[2]; int b[2]; } s = {{1, 2}, {3, 4}};
  o[get_global_id(0)] = s.a[PICK(3, 1)];
}"""),
    ("constant_index_constant", "K_t", "64/64", "b256", """
constant int K_t[4] = {1, 2, 3, 4};
kernel void K(global int *o) { o[get_global_id(0)] = K_t[PICK(6, 2)]; }"""),
    # Nothing needs the value, so WarpSan's compiler left the load out; rusticl performs it.
    ("dead_load", "-", "64/64", "b256 b256", """
int K_second(int x, int y) {
  if (y == -36) return -25;
  return (y * y) | 127;
}
kernel void K(global int *o, global const int *a) {
  int i = 3;
  do {
    i += 1;
    o[i] = 1;
  } while (i < (K_second(a[PICK(100, 63)], 4000000000u) & 15));
}"""),
    # Builtins write a vector of three as one of four.
    ("out_parameter_of_three", "a", "1/1", "b{28|32}", """
kernel void K(global float *a) { a[0] = fract((float3)(1.5f), (global float3 *)a + 1).x; }"""),
    # So do the aligned stores of halfs.
    ("aligned_store_of_half3", "a", "1/1", "b{14|16}", """
kernel void K(global half *a) { vstorea_half3((float3)(1.5f), 1, a); }"""),
    # A hint is no access.
    ("prefetch_past_the_end", "o", "64/64", "b256 b256", """
kernel void K(global int *o, global const int *a) {
  prefetch(a + get_global_id(0) + 60, 16);
  o[get_global_id(0) + PICK(1, 0)] = a[get_global_id(0)];
}"""),
    # Flags of signed arithmetic were lost: with what is speculated, and where
    # operands became equal only by simplification.
    ("overflow_speculated", "-", "4/4", "x16:{2147483647..2147483647|5..5} x16:1..1 b400 b16 i100", """
uint __attribute__((noinline)) K_next(int v) { return (uint)v + 1u; }
kernel void K(global const int *at, global const int *c, global int *a, global uint *b, int n) {
  int i = get_global_id(0);
  int v = at[i] & 0x7fffffff;
  uint w = 0;
  int y = 0;
  if (c[i]) { w = K_next(v); y = v + 1; }
  b[i] = w;
  if (y >= 0 && y < n) a[y] = 1;
}"""),
    ("overflow_simplified", "-", "4/4", "x16:{2147483647..2147483647|5..5} b400 b16 i100 i5", """
uint __attribute__((noinline)) K_next(int v) { return (uint)v + 1u; }
kernel void K(global const int *at, global int *a, global uint *b, int n, int k) {
  int i = get_global_id(0);
  int v = at[i] & 0x7fffffff;
  uint w = K_next((v ^ k) ^ k);
  int y = v + 1;
  b[i] = w;
  if (y >= 0 && y < n) a[y] = 1;
}"""),
    # A proof took one of the results that OpenCL leaves open.
    ("clamp_swapped", "-", "64/64", "b{64|96} i{3|23}", """
kernel void K(global int *o, int high) { o[clamp((int)get_global_id(0), 20, high)] = 1; }"""),
    ("clamp_swapped_high", "-", "64/64", "b{64|96} i{3|23}", """
kernel void K(global int *o, int high) { o[23 - clamp((int)get_global_id(0), 20, high)] = 1; }"""),
    ("clamp_swapped_char", "-", "64/64", "b{64|96} i{3|23}", """
kernel void K(global int *o, int high) { o[clamp((char)get_global_id(0), (char)20, (char)high)] = 1; }"""),
    ("mul24_beyond", "-", "64/64", "b288 i{16777216|1}", """
kernel void K(global int *o, int n) { o[mul24((int)get_global_id(0) + n, 1) - n + 8] = 1; }"""),
    # A proof believed a guard, PoCL does not keep it where a barrier is divergent.
    ("divergent_barrier", "-", "64/64", "b{144|256} i{36|64}", """
kernel void K(global int *o, int n) {
  local int t[64];
  int i = get_global_id(0);
  t[get_local_id(0)] = i;
  if (i >= n) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = t[get_local_id(0)];
}"""),
]

# Each is a program of its own: it decides how the whole program is covered.
ALONE = [
    # The proof was about another preprocessing than the kernel that runs.
    ("predefined_macros", "-", "64/64", "b{256|512}", """
#ifdef __AVX2__
#define K_MORE 16
#else
#define K_MORE 0
#endif
kernel void K(global int *o) { o[get_global_id(0) + K_MORE] = 1; }"""),
    ("file_name", "-", "1/1", "b{172|512}", """
kernel void K(global int *o) {
  o[sizeof(__FILE__) & 63] = 1;
  o[63 - (sizeof(__FILE__) & 63)] = 1;
}"""),
    ("extension_of_embedded", "-", "64/64", "b{256|512}", """
#if defined(cles_khr_int64) || defined(cl_khr_int64)
#define K_MORE 16
#else
#define K_MORE 0
#endif
kernel void K(global int *o) { o[get_global_id(0) + K_MORE] = 1; }"""),
    ("function_as_macro", "-", "64/64", "b{256|512}", """
#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#define K_MORE 0
#else
#define K_MORE 16
#endif
kernel void K(global int *o) { o[get_global_id(0) + K_MORE] = min(1, 2); }"""),
    # A loop that is entered at two places.
    ("duffs_device", "o", "1/1", "b{252|256}", """
kernel void K(global int *o) {
  int i = 0, rounds = 8;
  switch (get_global_size(0) & 7) {
  case 0: do { o[i++] = 1;
  case 7: o[i++] = 7;
  case 6: o[i++] = 6;
  case 5: o[i++] = 5;
  case 4: o[i++] = 4;
  case 3: o[i++] = 3;
  case 2: o[i++] = 2;
  case 1: o[i++] = 1; } while (--rounds > 0);
  }
  o[i + 6] = 8;
}"""),
    ("flexible_member", "o", "64/64", "b{256|260}", """
typedef struct { int count; int values[]; } K_t;
kernel void K(global K_t *o) { o->values[get_global_id(0)] = 1; }"""),
]
