// Accesses that loaded values decide about: `depends_on`.
// RUN: %clc --variant checked --device pocl --manifest - %s | sed 's/{/\n{/g' | FileCheck %s

// CHECK-LABEL: {"name":"address","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"read"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
// CHECK: "id":2,{{.*}}"access":"write"{{.*}}"depends_on":[1]}
// CHECK-NOT: depends_on
kernel void address(global int *out, global const int *in) {
  out[in[in[0]]] = 1;
}
// What is stored decides nothing.
// CHECK-LABEL: {"name":"value","file":
// CHECK-NOT: depends_on
kernel void value(global int *out, global const int *in) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
// CHECK-LABEL: {"name":"branch","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
kernel void branch(global int *out, global const int *in) {
  if (in[0] > 3)
    out[1] = 1;
  out[2] = 1;
}
// CHECK-LABEL: {"name":"nested","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
kernel void nested(global int *out, global const int *in, int n) {
  if (in[0] > 3) {
    if (n > 7)
      out[1] = 1;
  }
}
// CHECK-LABEL: {"name":"choice","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
kernel void choice(global int *out, global const int *in) {
  out[in[0] > 3 ? 5 : 6] = 1;
}
// CHECK-LABEL: {"name":"joined","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"read"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
// CHECK: "id":2,{{.*}}"access":"write"{{.*}}"depends_on":[0,1]}
// CHECK-NOT: depends_on
kernel void joined(global int *out, global const int *in) {
  int at = 0;
  if (in[0] > 3)
    at = in[1];
  out[at] = 1;
}
// CHECK-LABEL: {"name":"loop","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
kernel void loop(global int *out, global const int *in, int key) {
  int i = 0;
  while (in[i] != key)
    ++i;
  out[i] = 1;
}
// CHECK-LABEL: {"name":"bounded","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"read"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
// CHECK: "id":2,{{.*}}"access":"write"{{.*}}"depends_on":[0,1]}
// CHECK-NOT: depends_on
kernel void bounded(global int *out, global const int *in, int key) {
  for (int i = in[0]; i < in[1]; ++i)
    out[i] = 1;
  out[key] = 1;
}
// CHECK-LABEL: {"name":"list","file":
// CHECK-NOT: depends_on
// CHECK: "id":0,{{.*}}"access":"write"{{.*}}"depends_on":[1]}
// CHECK-NOT: depends_on
kernel void list(global int *out, global const int *next) {
  int at = 0;
  for (int i = 0; i < 100; ++i) {
    out[at] = 1;
    at = next[at];
  }
}
// CHECK-LABEL: {"name":"variables","file":
// CHECK-NOT: depends_on
// CHECK: "id":4,{{.*}}"access":"write"{{.*}}"depends_on":[1,3]}
// CHECK-NOT: depends_on
kernel void variables(global int *out, global const int *in, int j, int k) {
  int a[4] = {0, 0, 0, 0};
  a[k & 3] = in[k];
  out[a[j & 3]] = 1;
}
// CHECK-LABEL: {"name":"other","file":
// CHECK-NOT: depends_on
// CHECK: "id":7,{{.*}}"access":"write"{{.*}}"depends_on":[6]}
// CHECK-NOT: depends_on
kernel void other(global int *out, global const int *in, int j, int k) {
  int a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0};
  a[k & 3] = in[k];
  b[k & 3] = k;
  out[b[j & 3]] = a[j & 3];
}
typedef struct { int at[8]; } S;
// CHECK-LABEL: {"name":"copied","file":
// CHECK-NOT: depends_on
// CHECK: "id":3,{{.*}}"access":"write"{{.*}}"depends_on":[0,2]}
// CHECK-NOT: depends_on
kernel void copied(global int *out, global const S *in, int j) {
  S own = in[j];
  out[own.at[j & 7]] = 1;
}
// CHECK-LABEL: {"name":"builtins","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
// CHECK: "id":4,{{.*}}"access":"write"{{.*}}"depends_on":[2]}
// CHECK-NOT: depends_on
// CHECK: "id":6,{{.*}}"access":"write"{{.*}}"depends_on":[2,5]}
// CHECK-NOT: depends_on
// CHECK: "id":8,{{.*}}"builtin":"vstore4"{{.*}}"depends_on":[7]}
// CHECK-NOT: depends_on
// CHECK: "id":10,{{.*}}"builtin":"async_work_group_copy"{{.*}}"depends_on":[9]}
// CHECK-NOT: depends_on
// CHECK: "id":11,{{.*}}"builtin":"async_work_group_copy"{{.*}}"depends_on":[9]}
// CHECK-NOT: depends_on
kernel void builtins(global int *out, global const int *in,
                     global const float *f, local int *l) {
  out[(int)native_sin(f[0])] = 1;
  float c;
  out[(int)fract(f[1], &c)] = 1;
  out[(int)c] = 1;
  vstore4((int4)(1), in[2], out);
  async_work_group_copy(l, in, in[3], 0);
}
// CHECK-LABEL: {"name":"atomics","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"write"{{.*}}"depends_on":[0]}
// CHECK-NOT: depends_on
kernel void atomics(global int *out, global int *count) {
  out[atomic_inc(count)] = 1;
}
// Not through memory that others can write.
// CHECK-LABEL: {"name":"shared","file":
// CHECK-NOT: depends_on
// CHECK: "id":3,{{.*}}"access":"write"{{.*}}"depends_on":[2]}
// CHECK-NOT: depends_on
kernel void shared(global int *out, global const int *in, local int *t) {
  t[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t[0]] = 1;
}
// Either of two reads depends on the other, and both on the condition.
// CHECK-LABEL: {"name":"mutual","file":
// CHECK-NOT: depends_on
// CHECK: "id":1,{{.*}}"access":"read"{{.*}}"depends_on":[0,2]}
// CHECK-NOT: depends_on
// CHECK: "id":2,{{.*}}"access":"read"{{.*}}"depends_on":[1]}
// CHECK-NOT: depends_on
kernel void mutual(global const int *in, global const int *next,
                   global const int *last) {
  int at = 0;
  if (in[0] > 3)
    for (int i = 0; i < 100; ++i)
      at = last[next[at]];
}
// Of many accesses in a row, each depends on the one before.
// CHECK-LABEL: {"name":"row","file":
// CHECK: "id":63,{{.*}}"depends_on":[62]}
// CHECK-NOT: depends_on
#define ONE(i) if (in[i] > 3) return;
#define EIGHT(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7)
#define MANY(i) EIGHT(i) EIGHT(i + 8) EIGHT(i + 16) EIGHT(i + 24) EIGHT(i + 32) EIGHT(i + 40) EIGHT(i + 48) EIGHT(i + 56)
kernel void row(global const int *in) {
  MANY(0)
}
// So large that nobody looks.
// CHECK-LABEL: {"name":"large","file":
// CHECK-NOT: depends_on
// CHECK: "id":511,
// CHECK-NOT: depends_on
#undef ONE
#define ONE(i) out[i] = n; if (n == i * 7 + 3) return;
kernel void large(global int *out, global const int *in, int n) {
  if (in[0] > 3)
    return;
  MANY(0) MANY(64) MANY(128) MANY(192) MANY(256) MANY(320) MANY(384) MANY(448)
}
