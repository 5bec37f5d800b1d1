// Members stay where C puts them when structs are copied and cut into pieces:
// the int is at byte 4, not packed behind the char.
// RUN: %clc --device pocl --emit-llvm %s | FileCheck %s

typedef struct { char c; int i; } Pair;

__attribute__((noinline)) Pair next(Pair p) {
  p.c += 1;
  p.i += 2;
  return p;
}

// CHECK: define {{.*}}@copies(
// CHECK: [[FROM:%.*]] = getelementptr inbounds i8, ptr addrspace(1) {{.*}}, i64 4,
// CHECK-NEXT: load volatile i32, ptr addrspace(1) [[FROM]], align 4
// CHECK: [[TO:%.*]] = getelementptr inbounds i8, ptr addrspace(1) {{.*}}, i64 4,
// CHECK-NEXT: store i32 {{.*}}, ptr addrspace(1) [[TO]], align 4
kernel void copies(global Pair *out, global const Pair *in) {
  volatile Pair p = in[get_global_id(0)];
  out[get_global_id(0)] = next(p);
}
