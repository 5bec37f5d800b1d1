// Pointers in private and local memory: bounds are kept beside them, and used
// if the address that comes back is the one that was stored.
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// CHECK: @warpsan.shadow = internal addrspace(3) global [20 x i64] undef

// CHECK-LABEL: @private_memory(
// CHECK: %warpsan.shadow{{.*}} = alloca [10 x i64]
// CHECK: store ptr addrspace(1) %a
// CHECK: store i64 %{{.*}}, ptr %{{.*}}
// CHECK: %[[P:.*]] = load ptr addrspace(1)
// CHECK: %[[KEPT:.*]] = load i64
// CHECK: icmp eq i64 %[[KEPT]], %{{.*}}
kernel void private_memory(global int *a, global int *b, int n) {
  global int *p[2];
  p[0] = a;
  p[1] = b;
  p[n][n] = 1;
}

// CHECK-LABEL: @local_memory(
// CHECK: load i64, ptr addrspace(3)
kernel void local_memory(global int *a, int n) {
  global int *local p[4];
  p[get_local_id(0)] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[n][n] = 1;
}

// A pointer that leads to itself: nothing is known of it but its address.
// CHECK-LABEL: @list(
// CHECK: load ptr addrspace(1)
struct node {
  global struct node *next;
  int value;
};
kernel void list(global struct node *head, global int *out) {
  int sum = 0;
  for (; head; head = head->next)
    sum += head->value;
  *out = sum;
}

// An argument that is passed by value is memory, and no variable of the kernel.
// CHECK-LABEL: @by_value(
// CHECK: inttoptr i64
struct held {
  ulong at[2];
};
kernel void by_value(struct held a, struct held b, int n) {
  *(global ulong *)a.at[n] = b.at[n];
}
