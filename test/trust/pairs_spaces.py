# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of a wrong and a right kernel over local, private and constant memory; pairs.py says what the columns mean."""

SPACES = [
    ("local_of_another_group", "s", "1024/{128|64}", "b4096 b4096", """
kernel void K(global float *o, global const float *a) {
  local float s[64];
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = s[0];
}"""),
    ("local_argument", "t", "1024/128", "b4096 b4096 L{256|512}", """
kernel void K(global float *o, global const float *a, local float *t) {
  t[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[0];
}"""),
    ("reduction", "t", "256/64", "b1024", """
kernel void K(global int *o) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = PICK(64, 32); d > 0; d /= 2) {
    if (l < d) t[l] += t[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  o[get_global_id(0)] = t[0];
}"""),
    ("tile_with_halo", "t", "64,64/16,16", "b16384 b16384", """
kernel void K(global float *o, global const float *a) {
  local float t[PICK(17, 18) * 18];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 18; j += 16)
    for (int i = lx; i < 18; i += 16)
      t[j * 18 + i] = a[clamp(y - ly + j - 1, 0, 63) * 64 + clamp(x - lx + i - 1, 0, 63)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[y * 64 + x] = t[(ly + 1) * 17 + lx];
}"""),
    ("local_histogram", "h", "256/64", "b1024 x1024:0..{64|63}", """
kernel void K(global int *o, global const int *v) {
  local int h[64];
  h[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&h[v[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = h[get_local_id(0)];
}"""),
    ("async_too_long", "t", "1024/64", "b4096 b4352", """
kernel void K(global float *o, global const float *a) {
  local float t[64];
  event_t e = async_work_group_copy(t, a + get_group_id(0) * 64, PICK(65, 64), 0);
  wait_group_events(1, &e);
  o[get_global_id(0)] = t[get_local_id(0)];
}"""),
    ("async_out", "o", "1024/64", "b{4092|4096} b4096", """
kernel void K(global float *o, global const float *a) {
  local float t[64];
  t[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(o + get_group_id(0) * 64, t, 64, 0);
  wait_group_events(1, &e);
}"""),
    ("local_rows", "t", "8,8/8,8", "b256", """
kernel void K(global int *o) {
  local int t[8][PICK(8, 9)];
  int x = get_local_id(0), y = get_local_id(1);
  t[y][x] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y == 7 && x == 7) t[7][8] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[y * 8 + x] = t[x][y];
}"""),
    ("local_pointer_array", "t", "64/64", "b256", """
kernel void K(global int *o) {
  local int s[64], t[32];
  local int *p[2] = {s, t};
  int l = get_local_id(0);
  for (int i = 0; i < 2; ++i) p[i][PICK(l, l / 2)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = s[l] + t[l / 2];
}"""),
    ("private_loop", "w", "64/64", "b256 b2304", """
kernel void K(global float *o, global const float *a) {
  float w[8];
  int i = get_global_id(0);
  for (int j = 0; j PICK(<=, <) 8; ++j) w[j] = a[i * 9 + j];
  float m = w[0];
  for (int j = 1; j < 8; ++j) m = fmax(m, w[j]);
  o[i] = m;
}"""),
    ("private_histogram", "h", "64/64", "b256 x1024:0..{16|15}", """
kernel void K(global int *o, global const int *v) {
  int h[16];
  for (int j = 0; j < 16; ++j) h[j] = 0;
  int i = get_global_id(0);
  for (int j = 0; j < 4; ++j) h[v[i * 4 + j]]++;
  int best = 0;
  for (int j = 1; j < 16; ++j) if (h[j] > h[best]) best = j;
  o[i] = best;
}"""),
    ("private_stack", "stack", "64/64", "b256 i{9|8}", """
kernel void K(global int *o, int n) {
  int stack[8], top = 0;
  for (int i = 0; i < n; ++i) stack[top++] = i * (int)get_global_id(0);
  int s = 0;
  while (top > 0) s += stack[--top];
  o[get_global_id(0)] = s;
}"""),
    ("private_member", "", "64/64", "b256 x256:0..{4|3}", """
struct K_t { int bin[4]; int total; };
void K_add(struct K_t *s, int v) { s->bin[v]++; s->total++; }
kernel void K(global int *o, global const int *v) {
  struct K_t s = {{0, 0, 0, 0}, 0};
  for (int j = 0; j < 4; ++j) K_add(&s, v[(get_global_id(0) + j) & 63]);
  o[get_global_id(0)] = s.bin[0] + 10 * s.bin[1] + s.total;
}"""),
    ("private_matrix", "m", "64/64", "b256 i{4|3}", """
kernel void K(global int *o, int n) {
  int m[4][4];
  for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) m[i][j] = i * j;
  int s = 0;
  for (int i = 0; i <= n; ++i) s += m[i][3];
  o[get_global_id(0)] = s;
}"""),
    ("private_vectors", "v", "64/64", "b256 i{5|4}", """
kernel void K(global int *o, int n) {
  int4 v[4];
  for (int i = 0; i < 4; ++i) v[i] = (int4)(i);
  int s = 0;
  for (int i = 0; i < n; ++i) s += v[i].y;
  o[get_global_id(0)] = s;
}"""),
    ("constant_table", "K_w", "1024/64", "b4096", """
constant float K_w[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
kernel void K(global float *o) {
  float s = 0;
  for (int d = -2; d <= PICK(3, 2); ++d) s += K_w[d + 2] * (float)get_global_id(0);
  o[get_global_id(0)] = s;
}"""),
    ("constant_argument", "f", "64/64", "b256 b36 i{5|4}", """
kernel void K(global float *o, constant float *f, int r) {
  float s = 0;
  for (int d = -r; d <= r; ++d) s += f[d + r];
  o[get_global_id(0)] = s;
}"""),
    ("constant_nested", "K_t", "64/64", "b256 i{3|2}", """
constant struct { int a[3]; int b; } K_t[2] = {{{1, 2, 3}, 4}, {{5, 6, 7}, 8}};
kernel void K(global int *o, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += K_t[i % 2].b + K_t[i / PICK(1, 2)].a[1];
  o[get_global_id(0)] = s;
}"""),
    ("union_members", "", "64/64", "b256 i{4|3}", """
kernel void K(global int *o, int n) {
  union { int word; uchar part[4]; } u;
  u.word = get_global_id(0);
  int s = 0;
  for (int i = 0; i <= n; ++i) s += u.part[i];
  o[get_global_id(0)] = s;
}"""),
    ("generic_pointer", "o", "64/64", "b{252|256}", """
#ifdef __opencl_c_generic_address_space
#define K_SPACE
#else
#define K_SPACE global
#endif
int K_get(K_SPACE int *p, int i) { p[i] = i; return p[i]; }
kernel void K(global int *o) {
#ifdef __opencl_c_generic_address_space
  int own[2] = {1, 2};
  o[get_global_id(0)] = K_get(own, 1);
#endif
  K_get(o, get_global_id(0));
}"""),
    ("local_index_of_group", "t", "256/64", "b1024", """
kernel void K(global int *o) {
  local int t[64];
  t[PICK(get_global_id(0), get_local_id(0))] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[get_local_id(0)];
}"""),
    ("local_structs", "t", "64/64", "b256", """
typedef struct { int key; short v[2]; } K_t;
kernel void K(global int *o) {
  local K_t t[PICK(63, 64)];
  t[get_local_id(0)].key = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[0].key;
}"""),
]
