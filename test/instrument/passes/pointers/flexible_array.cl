// SPIR-V has no array of no elements: addresses in a struct with a flexible array
// member are calculated in bytes. rusticl takes no such source.
// RUN: %clc --device pocl --variant checked --manifest %t.json -o %t.spv %s
// RUN: spirv-val --target-env opencl2.2 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json
// RUN: %clc --device intel --variant lean -o %t.spv %s
// RUN: spirv-val --target-env opencl2.2 %t.spv

// CHECK: OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar {{.*}} %ulong_16
// CHECK: OpFunctionCall %void %warpsan_report
// CHECK: OpStore {{.*}} %uint_7 Aligned 4
// MANIFEST: "access":"write",{{.*}}"bytes":4,{{.*}}"state":"checked"
typedef struct { int n; int pad[3]; int data[]; } blob;
kernel void flexible(global blob *b, int i) { b->data[i] = 7; }

typedef struct { int n; struct { int of[2]; int none[0]; } rows[2]; } nested;
kernel void inner(global nested *b, int i) { b->rows[i].of[1] = 7; }
