// Members stay where C puts them when structs are copied and cut into pieces:
// the int is at byte 4, not packed behind the char.
// RUN: %clc --device pocl --emit-llvm %s | FileCheck %s

typedef struct { char c; int i; } Pair;

__attribute__((noinline)) Pair next(Pair p) {
  p.c += 1;
  p.i += 2;
  return p;
}

// CHECK-LABEL: @copies
// CHECK-NOT: i64 1
// CHECK: getelementptr inbounds {{.*}}i64 4
// CHECK-NOT: i64 1
// CHECK: ret void
kernel void copies(global Pair *out, global const Pair *in) {
  volatile Pair p = in[get_global_id(0)];
  out[get_global_id(0)] = next(p);
}
