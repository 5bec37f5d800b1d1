// A struct that is passed by value is each work-item's own: what the kernel may
// change is copied, what it only reads is not.
// RUN: %clc --variant plain --emit-llvm %s | FileCheck %s

typedef struct { int a[4]; long b; } item;

// CHECK-LABEL: spir_kernel void @reads(
// CHECK-NOT: alloca
// CHECK: ret void
kernel void reads(global long *out, item given, int n) {
  out[0] = given.b + given.a[n & 3];
}

// CHECK-LABEL: spir_kernel void @changes(
// CHECK-SAME: ptr noundef byval(%struct.item) align 8 [[GIVEN:%[0-9]+]]
// CHECK: [[OWN:%given]] = alloca %struct.item, align 8
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 [[OWN]], ptr align 8 [[GIVEN]], i64 24
// CHECK: getelementptr inbounds %struct.item, ptr [[OWN]]
kernel void changes(global long *out, item given, int n) {
  given.a[n & 3] = n;
  out[0] = given.b + given.a[0];
}

// CHECK-LABEL: spir_kernel void @gives_away(
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 %given,
kernel void gives_away(global long *out, item given, int n) {
  int *p = n ? given.a : 0;
  if (p)
    *p = 3;
  out[0] = given.a[0];
}
