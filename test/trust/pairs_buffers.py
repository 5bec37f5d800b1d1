# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of a wrong and a right kernel over buffers; pairs.py says what the columns mean."""

BUFFERS = [
    ("guard", "o", "1024/64", "b4000 b4000 i1000", """
kernel void K(global float *o, global const float *a, int n) {
  int i = get_global_id(0);
  if (i PICK(<=, <) n) o[i] = 2 * a[min(i, 999)];
}"""),
    ("stencil_left", "a", "1024/64", "b4096 b4096 i1024", """
kernel void K(global float *o, global const float *a, int n) {
  int i = get_global_id(0);
  if (PICK(i < n - 1, i > 0 && i < n - 1)) o[i] = a[i - 1] + a[i + 1];
}"""),
    ("stencil_rows", "a", "64,32/16,8", "b8192 b8192 i64 i32", """
kernel void K(global float *o, global const float *a, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || x >= w - 1) return;
  if (PICK(0, y < 1 || y >= h - 1)) return;
  float s = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) s += a[(y + dy) * w + x + dx];
  o[y * w + x] = s;
}"""),
    ("transposed_pitch", "o", "64,32/16,8", "b8192 b8192 i64 i32", """
kernel void K(global float *o, global const float *a, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  o[x * PICK(w, h) + y] = a[y * w + x];
}"""),
    ("pitch_in_bytes", "o", "64,32/8,8", "b8192 i256", """
kernel void K(global float *o, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  global float *row = PICK(o + y * pitch, (global float *)((global char *)o + y * pitch));
  row[x] = x + y;
}"""),
    ("product_overflows", "o", "40000/64", "b4096 i70000", """
kernel void K(global float *o, int stride) {
  PICK(int, long) at = (PICK(int, long))get_global_id(0) * stride;
  if (at < 1024) o[at] = 1;
}"""),
    ("unsigned_left", "a", "1024/64", "b4096 b4096", """
kernel void K(global float *o, global const float *a) {
  uint i = get_global_id(0);
  uint left = PICK(i - 1, (i ? i - 1 : 0));
  o[i] = a[i] - a[left];
}"""),
    ("empty_unsigned", "a", "2048/64", "b4096 b4096 i{0|16}", """
kernel void K(global float *o, global const float *a, uint n) {
  uint i = get_global_id(0);
  if (i < n - 1 && i < 1024) o[i] = a[i + 1];
}"""),
    ("vload_at_end", "a", "256/64", "b4096 b4008 i1002", """
kernel void K(global float *o, global const float *a, int n) {
  int i = get_global_id(0);
  if (i * 4 PICK(, + 3) < n) vstore4(vload4(i, a), i, o);
}"""),
    ("vstore3_at_end", "o", "1024/64", "b{12280|12288} b4096", """
kernel void K(global float *o, global const float *a) {
  int i = get_global_id(0);
  vstore3((float3)(a[i]), i, o);
}"""),
    ("histogram", "hist", "1024/64", "b{1020|1024} x4096:0..255", """
kernel void K(global uint *hist, global const int *v) { atomic_inc(&hist[v[get_global_id(0)]]); }"""),
    ("append", "found", "1024/64", "b1024 x4:0..0 i256", """
kernel void K(global int *found, global int *count, int cap) {
  int slot = atomic_inc(count);
  if (PICK(1, slot < cap)) found[slot] = 7;
}"""),
    ("element_type", "a", "1024/64", "b4096 b4096", """
kernel void K(global int *o, global const PICK(long, int) *a) { o[get_global_id(0)] = (int)a[get_global_id(0)]; }"""),
    ("bytes_as_vectors", "raw", "256/64", "b4096 b{4080|4096}", """
kernel void K(global float *o, global const uchar *raw) {
  float4 v = ((global const float4 *)raw)[get_global_id(0)];
  o[get_global_id(0)] = v.x + v.w;
}"""),
    ("sliding_vector", "a", "1024/64", "b4096 b4096", """
kernel void K(global int *o, global const int *a) {
  int i = get_global_id(0);
  int4 v = vload4(0, a + PICK(i, min(i, 1020)));
  o[i] = v.x + v.w;
}"""),
    ("pointers_in_struct", "y", "1024/64", "b4096 b4096 b2048 i1024", """
typedef struct { global const float *x, *y; int n; } K_job;
float K_one(const K_job *j, int i) { return j->x[i] + j->y[i]; }
kernel void K(global float *o, global const float *x, global const float *y, int n) {
  K_job j = {x, y, n};
  int i = get_global_id(0);
  if (i < j.n PICK(, / 2)) o[i] = K_one(&j, i);
}"""),
    ("chosen_pointer", "q", "1024/64", "b4096 b4096 b2048 x4096:0..1", """
kernel void K(global float *o, global const float *p, global const float *q, global const int *which) {
  int i = get_global_id(0);
  global const float *from = which[i] ? p : q;
  o[i] = from[PICK(i, i / 2)];
}"""),
    ("through_functions", "o", "256/64", "b1024 i{1|0}", """
void K_put(global int *p, int i, int v) { p[i] = v; }
void K_next(global int *p, int i, int by) { K_put(p + by, i, i); }
kernel void K(global int *o, int by) { K_next(o, get_global_id(0), by); }"""),
    ("do_while_empty", "o", "64/64", "b256 i0", """
kernel void K(global int *o, int n) {
  int i = get_global_id(0) + PICK(1, 0) * 64;
  do { o[i] = n; ++i; } while (i < n);
}"""),
    ("decrement", "o", "1/1", "b256 i64", """
kernel void K(global int *o, int n) {
  for (int i = n PICK(, - 1); i >= 0; --i) o[i] = i;
}"""),
    ("geometric", "o", "1/1", "b256 i64", """
kernel void K(global int *o, int n) {
  for (int i = 1; i PICK(<=, <) n; i *= 2) o[i] = i;
}"""),
    ("pointer_loop", "o", "1/1", "b256 i64", """
kernel void K(global int *o, int n) {
  for (global int *p = o, *e = o + n; p PICK(<=, <) e; ++p) *p = 1;
}"""),
    ("offset_2d", "o", "16,16/4,4/{8|0},0", "b1024", """
kernel void K(global int *o) { o[get_global_id(1) * 16 + get_global_id(0)] = 1; }"""),
    ("third_dimension", "o", "8,4,2/2,2,2", "b256", """
kernel void K(global int *o) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  o[PICK((x * 8 + y) * 4 + z, (z * 4 + y) * 8 + x)] = 1;
}"""),
    ("uneven_groups", "o", "100/64", "b{396|400}", """
kernel void K(global int *o) { o[get_global_id(0)] = get_local_size(0); }"""),
    ("group_times_size", "o", "100/64", "b400", """
kernel void K(global int *o) {
  o[get_group_id(0) * PICK(get_local_size(0), get_enqueued_local_size(0)) + get_local_id(0) + PICK(30, 0)] = 1;
}"""),
    ("doubles", "o", "64/64", "b{508|512}", """
kernel void K(global long *o) { o[get_global_id(0)] = 1; }"""),
    ("wide_vectors", "o", "8/8", "b{1016|1024}", """
kernel void K(global long16 *o) { o[get_global_id(0)] = (long16)(1); }"""),
    ("vector_of_three", "o", "64/64", "b{768|1024}", """
kernel void K(global float3 *o) { o[get_global_id(0)] = (float3)(1, 2, 3); }"""),
    ("struct_padding", "o", "64/64", "b{560|1024}", """
typedef struct { char c; long l; } K_t;
kernel void K(global K_t *o) { o[get_global_id(0)].l = 1; }"""),
    ("index_of_float", "o", "64/64", "b256", """
kernel void K(global int *o) {
  float at = get_global_id(0) * PICK(1.1f, 0.9f);
  o[(int)at] = 1;
}"""),
    ("index_of_char", "o", "200/50", "b1024", """
kernel void K(global int *o) {
  PICK(char, uchar) at = (PICK(char, uchar))get_global_id(0);
  o[at] = 1;
}"""),
    ("negative_remainder", "o", "64/64", "b64 i-3", """
kernel void K(global int *o, int shift) {
  int at = ((int)get_global_id(0) + shift) % 16;
  o[PICK(at, ((at + 16) % 16))] = 1;
}"""),
    ("clamped_to_size", "o", "128/64", "b256 i64", """
kernel void K(global int *o, int n) { o[clamp((int)get_global_id(0), 0, n PICK(, - 1))] = 1; }"""),
    ("mirrored", "a", "64/64", "b256 b256 i64", """
kernel void K(global int *o, global const int *a, int n) {
  int i = get_global_id(0);
  int j = i + 5;
  if (j >= n) j = 2 * n - j PICK(, - 1) PICK(+ 1, );
  o[i] = a[j];
}"""),
    ("gather", "a", "64/64", "b256 b256 x256:{-1|0}..63", """
kernel void K(global int *o, global const int *a, global const int *at) {
  o[get_global_id(0)] = a[at[get_global_id(0)]];
}"""),
    ("row_pointers", "v", "63/63", "b256 b256 x256:0..{65|64}", """
kernel void K(global int *o, global const int *v, global const int *row) {
  int i = get_global_id(0), s = 0;
  for (int j = row[i]; j < row[i + 1]; ++j) s += v[j];
  o[i] = s;
}"""),
    ("short_circuit", "a", "128/64", "b512 b256 i64", """
kernel void K(global int *o, global const int *a, int n) {
  int i = get_global_id(0);
  o[i] = PICK((a[i] > 0 && i < n), (i < n && a[i] > 0));
}"""),
    ("select_reads_both", "a", "64/64", "b256 b256 i63", """
kernel void K(global int *o, global const int *a, int n) {
  int i = get_global_id(0);
  o[i] = PICK(select(0, a[i + 1], i < n), (i < n ? a[i + 1] : 0));
}"""),
    ("switch_falls", "o", "8/8", "b256", """
kernel void K(global int *o) {
  int at = 0;
  switch (get_global_id(0)) {
  case 3: at = PICK(64, 60); break;
  case 4: at = 5;
  case 5: at += 6; break;
  default: at = 63;
  }
  o[at] = 1;
}"""),
    ("goto_loop", "o", "1/1", "b256 i64", """
kernel void K(global int *o, int n) {
  int i = 0;
again:
  o[i] = i;
  if (++i PICK(<=, <) n) goto again;
}"""),
    ("unsigned_down", "o", "1/1", "b256 i64", """
kernel void K(global int *o, uint n) {
  for (uint i = n - 1, left = n PICK(+ 1, ); left > 0; --i, --left) o[i] = 1;
}"""),
    ("struct_copied_at_end", "a", "16/16", "b256 b{252|256}", """
typedef struct { int v[4]; } K_t;
kernel void K(global K_t *o, global const K_t *a) { o[get_global_id(0)] = a[get_global_id(0)]; }"""),
    ("one_component", "o", "16/16", "b{248|256}", """
kernel void K(global int4 *o) { o[get_global_id(0)].w = 1; }"""),
    ("argument_struct", "o", "64/64", "b256 i{65|64}", """
kernel void K(global int *o, int n) { o[n - 1 - (int)get_global_id(0) % 2] = 1; }"""),
    ("pointer_before", "o", "64/64", "b256", """
kernel void K(global int *o) {
  global int *one = o - 1;
  one[get_global_id(0) + PICK(0, 1)] = 1;
}"""),
    ("one_byte", "o", "64/64", "b{63|64}", """
kernel void K(global uchar *o) { o[get_global_id(0)] = 1; }"""),
    ("triangle", "o", "16/16", "b{540|544}", """
kernel void K(global int *o) {
  int i = get_global_id(0);
  for (int j = 0; j <= i; ++j) o[i * (i + 1) / 2 + j] = j;
}"""),
    ("ping_pong", "b", "64/64", "b256 b{252|256}", """
kernel void K(global int *a, global int *b) {
  global int *from = a, *to = b;
  for (int s = 0; s < 3; ++s) {
    to[get_global_id(0)] = from[get_global_id(0)] + 1;
    global int *t = from; from = to; to = t;
  }
}"""),
    ("missing_dimension", "o", "8,8/4,4", "b{256|256}", """
kernel void K(global int *o) { o[get_global_id(0) * 8 + get_global_id(1) + PICK(get_global_size(1), 0)] = 1; }"""),
    ("exchange", "o", "64/64", "b{252|256}", """
kernel void K(global int *o) { atomic_xchg(o + get_global_id(0), 3); }"""),
    ("post_increment", "o", "1/1", "b256", """
kernel void K(global int *o) {
  int at = 0;
  while (at < 64) o[PICK(++at, at++)] = at;
}"""),
    ("packed_struct", "o", "64/64", "b{316|320}", """
typedef struct __attribute__((packed)) { char c; int v; } K_t;
kernel void K(global K_t *o) { o[get_global_id(0)].v = 1; }"""),
    ("reversed", "a", "64/64", "b256 b256 i64", """
kernel void K(global int *o, global const int *a, int n) { o[get_global_id(0)] = a[n PICK(, - 1) - get_global_id(0)]; }"""),
    ("linear_id", "o", "8,8/4,4/{1|0},0", "b256", """
kernel void K(global int *o) { o[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }"""),
    ("binary_search", "a", "64/64", "b256 x256:0..63 i64", """
kernel void K(global int *o, global const int *a, int n) {
  int lo = 0, hi = n PICK(, - 1), key = 1000;
  while (lo PICK(<=, <) hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] < key) lo = mid + 1; else hi = mid PICK(- 1, );
  }
  o[get_global_id(0)] = lo;
}"""),
    ("heap_children", "h", "1/1", "b256 i64", """
kernel void K(global int *h, int n) {
  for (int i = 0; i < n; ++i) {
    int child = 2 * i + 1;
    if (child < n) h[i] += h[child];
    if (PICK(child, child + 1) < n) h[i] += h[child + 1];
  }
}"""),
    ("member_array", "b", "64/64", "b1024", """
typedef struct { float at[3]; float mass; } K_t;
kernel void K(global K_t *b) {
  for (int c = 0; c PICK(<=, <) 3; ++c) b[get_global_id(0)].at[c] += 1;
}"""),
    ("long_truncated", "o", "64/64", "b256 l{4294967359|4294967295}", """
kernel void K(global int *o, long n) {
  int i = get_global_id(0);
  if (i <= (int)n + 64) o[PICK(i + 1, i)] = 1;
}"""),
    ("two_counters", "o", "1/1", "b256", """
kernel void K(global int *o) {
  for (int i = 0, j = 0; i < 32; ++i, j += PICK(3, 2)) o[j] = i;
}"""),
    ("counter_changed", "o", "1/1", "b256 x256:1..1", """
kernel void K(global int *o, global const int *skip) {
  for (int i = 0; i < 64; ++i) {
    if (skip[i]) i PICK(+= 2, += 0);
    o[i] = 1;
  }
}"""),
    ("count_leading_zeros", "o", "64/64", "b{124|132}", """
kernel void K(global int *o) { o[clz((uint)get_global_id(0))] = 1; }"""),
    ("saturated", "o", "64/64", "b256", """
kernel void K(global int *o) { o[add_sat((uchar)get_global_id(0), (uchar)PICK(200, 0))] = 1; }"""),
]
