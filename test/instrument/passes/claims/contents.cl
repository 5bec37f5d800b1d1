// Which integers of its memory a load is known to read, whenever its checks
// pass: argument, bits, and of every so many bytes from which on how many.
// clang-format off
// RUN: %clc --variant lean --manifest - %s | sed 's/{"name":"[a-z_]*","file"/\n&/g' | FileCheck %s
// RUN: %clc --variant lean -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// clang-format on

typedef struct {
  int next, weight, left;
} three;
typedef struct {
  int next, weight;
} two;
typedef struct {
  int count;
  uchar kinds[4];
  int keys[16];
  int children[17];
} node;
typedef struct __attribute__((packed)) {
  char kind;
  int next;
} tight;

// CHECK: {"name":"array"
// CHECK-SAME: "contents":{{\[\[}}0,32,4,0,4]]
kernel void array(global const int *at, global int *to) {
  to[at[get_global_id(0)]] = 1;
}

// CHECK: {"name":"member"
// CHECK-SAME: "contents":{{\[\[}}0,32,12,4,4]]
kernel void member(global const three *s, global int *to) {
  to[s[get_global_id(0)].weight] = 1;
}

// CHECK: {"name":"backwards"
// CHECK-SAME: "contents":{{\[\[}}0,32,12,4,4]]
kernel void backwards(global const three *s, global int *to) {
  to[s[-1 - (int)get_global_id(0)].weight] = 1;
}

// CHECK: {"name":"member_arrays"
// CHECK-SAME: "contents":{{\[\[}}0,32,140,72,68],[0,8,140,4,4]]
kernel void member_arrays(global const node *s, global int *to, int i, int j) {
  int at = s[get_global_id(0)].children[i];
  to[at + 1000 * s[get_global_id(0)].kinds[j]] = 1;
}

// CHECK: {"name":"first"
// CHECK-SAME: "contents":{{\[\[}}0,32,12,8,4]]
kernel void first(global const three *s, global int *to) { to[s->left] = 1; }

// It is where it is, whatever the types say.
// CHECK: {"name":"moved"
// CHECK-SAME: "contents":{{\[\[}}0,32,12,8,4]]
kernel void moved(global const int *s, global int *to) {
  to[((global const three *)(s + 1))[get_global_id(0)].weight] = 1;
}

// Twelve times a long may wrap around and be anywhere; eight times is in step.
// CHECK: {"name":"long_index"
// CHECK-SAME: "contents":{{\[\[}}1,64,8,0,8],[0,32,4,0,4]]
kernel void long_index(global const three *s, global const long *at,
                       global int *to) {
  to[s[at[get_global_id(0)]].weight] = 1;
}
// CHECK: {"name":"long_index_in_step"
// CHECK-SAME: "contents":{{\[\[}}1,64,8,0,8],[0,32,8,4,4]]
kernel void long_index_in_step(global const two *s, global const long *at,
                               global int *to) {
  to[s[at[get_global_id(0)]].weight] = 1;
}

// From a member on, but not held to it.
// CHECK: {"name":"beyond"
// CHECK-SAME: "contents":{{\[\[}}0,32,4,0,4]]
kernel void beyond(global const three *s, global int *to, int i) {
  global const int *p = &s[i].weight;
  to[p[get_global_id(0)]] = 1;
}

// Not at a multiple of its size.
// CHECK: {"name":"packed"
// CHECK-SAME: "contents":[]
kernel void packed(global const tight *s, global int *to) {
  to[s[get_global_id(0)].next & 0xffff] = 1;
}

// Of so many members, any.
// CHECK: {"name":"many"
// CHECK-SAME: "contents":{{\[\[}}0,32,32,20,4],[0,32,32,16,4],
// CHECK-SAME: [0,32,32,12,4],[0,32,32,8,4],[0,32,4,0,4]]
kernel void many(global const int (*s)[8], global int *to) {
  int i = get_global_id(0);
  to[s[i][0]] = to[s[i][1]] = to[s[i][2]] = to[s[i][3]] = to[s[i][4]] =
      to[s[i][5]] = 1;
}

// What the kernel itself may change is not what the host has seen.
// CHECK: {"name":"changed"
// CHECK-NOT: "contents":{{\[\[}}0,
kernel void changed(global int *at, global int *to) {
  to[at[get_global_id(0)]] = 1;
  at[get_global_id(0)] = 7;
}
