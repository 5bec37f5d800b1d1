// SPIR-V has integers of 1, 8, 16, 32 and 64 bits. Of a struct of three bytes in a
// union with an int LLVM makes an i24: it becomes an i32, and its accesses stay of
// three bytes, checked as one.
// RUN: %clc --device pocl --variant checked --manifest %t.json -o %t.spv %s
// RUN: spirv-val --target-env opencl2.2 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json
// RUN: %clc --device rusticl --variant lean -o %t.spv %s
// RUN: spirv-val --target-env opencl2.2 %t.spv

// CHECK: OpTypeInt
// CHECK-NOT: OpTypeInt 24
// CHECK: OpStore {{.*}} Aligned 1
// CHECK: OpStore {{.*}} Aligned 1
// MANIFEST: "access":"write",{{.*}}"bytes":3,{{.*}}"state":"checked"
typedef struct { uchar a, b, c; } three;
typedef union { uint all; three part; } word;
kernel void halves(global three *out, global uint *in) {
  size_t i = get_global_id(0);
  word w;
  w.all = in[i];
  out[i] = w.part;
}
