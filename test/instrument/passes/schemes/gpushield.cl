// GPUShield's filter: what a launch can decide is left to it, the rest is
// looked up. Without the filter everything is.
// RUN: %clc --variant lean --scheme gpushield-static --emit-llvm %s | FileCheck --check-prefixes=CHECK,FILTER %s
// RUN: %clc --variant lean --scheme gpushield --emit-llvm %s | FileCheck --check-prefixes=CHECK,ALL,GROUP %s
// RUN: %clc --device intel --variant lean --scheme gpushield --emit-llvm %s | FileCheck --check-prefix=EACH %s
// RUN: %clc --variant lean --scheme gpushield-static --manifest %t.json -o %t.spv %s && FileCheck --check-prefix=STATES %s < %t.json

// CHECK-LABEL: @by_id(
// FILTER-NOT: warpsan_report
// Both ends of the work-group come first, and the work-item's own address only
// if one of them is outside; but not where vectors are made of work-items.
// GROUP: load i64, ptr addrspace(1)
// GROUP: call spir_func i64 @_Z{{[0-9]+}}__spirv_BuiltInNumWorkgroups
// GROUP: br i1 {{.*}}, label %[[OWN:[0-9]+]], label
// GROUP: [[OWN]]:
// GROUP: load i64, ptr addrspace(1)
// EACH-LABEL: @by_id(
// EACH-NOT: NumWorkgroups
// EACH: ret void
// ALL: call spir_func void @warpsan_report
// CHECK: ret void
// STATES: "name":"by_id"
// STATES: "state":"claimed"
// STATES-NOT: "state":"checked"
kernel void by_id(global int *a, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = i;
}

// The index is in memory, which the paper's filter does not know.
// CHECK-LABEL: @by_index(
// GROUP: NumWorkgroups
// GROUP-NOT: NumWorkgroups
// CHECK: call spir_func void @warpsan_report
// CHECK: ret void
// STATES: "name":"by_index"
// STATES: "by_contents":[]
// STATES: "state":"claimed"
// STATES: "state":"checked"
kernel void by_index(global int *a, global const int *index) {
  a[index[get_global_id(0)]] = 0;
}
