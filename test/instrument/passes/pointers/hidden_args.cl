// Hidden arguments follow the application's, in argument order, and the
// kernel's metadata grows with them. Only sizes that a check needs are there.
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s
// RUN: %clc --variant plain --emit-llvm %s | FileCheck %s --check-prefix=PLAIN
// RUN: %clc --variant checked-svm --emit-llvm %s | FileCheck %s --check-prefix=SVM
// RUN: %clc --variant checked -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// RUN: %clc --variant checked-svm --device intel -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

typedef struct {
  int a;
  float b[3];
} S;

// CHECK: define {{.*}}spir_kernel void @k(ptr addrspace(1) {{[^,]*}}%g, ptr addrspace(2) {{[^,]*}}%c, ptr addrspace(3) {{[^,]*}}%l, ptr {{.*}}byval(%struct.S) align 4 %s, i32 noundef %n, i64 %warpsan.size.0, i64 %warpsan.size.1, i64 %warpsan.size.2, i64 %warpsan.launch, ptr addrspace(1) %warpsan.records)
// PLAIN: @k({{.*}}i32 noundef %n, i64 %warpsan.launch, ptr addrspace(1) %warpsan.records)
// SVM: @k({{.*}}i32 noundef %n, i64 %warpsan.size.0, i64 %warpsan.start.0, i64 %warpsan.size_now.0, i64 %warpsan.size.1, i64 %warpsan.start.1, i64 %warpsan.size_now.1, i64 %warpsan.size.2, i64 %warpsan.launch, ptr addrspace(1) %warpsan.records)
// CHECK-SAME: !kernel_arg_addr_space ![[SPACES:[0-9]+]]
// CHECK-SAME: !kernel_arg_type ![[TYPES:[0-9]+]]
// CHECK-SAME: !kernel_arg_name ![[NAMES:[0-9]+]]
// CHECK-SAME: !reqd_work_group_size
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
k(global float *g, constant int *c, local int *l, S s, int n) {
  g[n] = c[0] + l[0] + s.b[n];
}

// No pointer: launch number and records only.
// CHECK: define {{.*}}spir_kernel void @none(i32 noundef %n, i64 %warpsan.launch, ptr addrspace(1) %warpsan.records)
kernel void none(int n) {}

// CHECK-DAG: ![[SPACES]] = !{i32 1, i32 2, i32 3, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1}
// CHECK-DAG: ![[TYPES]] = !{!"float*", !"int*", !"int*", !"S", !"int", !"ulong", !"ulong", !"ulong", !"ulong", !"uint*"}
// CHECK-DAG: ![[NAMES]] = !{!"g", !"c", !"l", !"s", !"n", !"warpsan.size.0", !"warpsan.size.1", !"warpsan.size.2", !"warpsan.launch", !"warpsan.records"}
