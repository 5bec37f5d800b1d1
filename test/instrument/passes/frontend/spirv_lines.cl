// Lines of a SPIR-V module made with -gline-tables-only, as CUDA's and SYCL's
// compilers make them, reach the manifest.
// RUN: clang -c -x cl --target=spir64 -O1 -emit-llvm -gline-tables-only -Xclang -finclude-default-header -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.spv %t.bc
// RUN: %clc --variant checked --device intel --manifest %t.json -o %t.out %t.spv
// RUN: FileCheck %s --input-file=%t.json
// RUN: spirv-dis %t.out | FileCheck %s --check-prefix=OUT
// OUT-NOT: OpLine
// OUT-NOT: DebugInfo
//
// Of a language that the translator does not know, too.
// RUN: spirv-dis %t.spv | sed 's/\(DebugCompilationUnit.*\) OpenCL_C/\1 !118/' > %t.spvasm
// RUN: grep 'DebugCompilationUnit.*!118' %t.spvasm
// RUN: spirv-as -o %t.other.spv %t.spvasm
// RUN: %clc --variant checked --device intel --manifest %t.json -o %t.out %t.other.spv
// RUN: FileCheck %s --input-file=%t.json

__attribute__((noinline)) void put(global int *p, int v) {
  p[v] = 1;
}
// CHECK: "name":"k","file":0,"line":[[# @LINE + 1]]
kernel void k(global int *p) {
  put(p, 3);
}
// CHECK: "sites":[{"id":0,"at":1,"access":"write","space":"global","type":"int","bytes":4,"align":4,"root":3,"state":"checked"}]
// CHECK-SAME: "files":[{"path":"{{.*}}spirv_lines.cl"}]
// CHECK-SAME: "locations":[{"file":0,"line":[[# @LINE - 4]],"column":3,"function":"k"},{"file":0,"line":[[# @LINE - 8]],"column":8,"function":"put","inlined_at":0}]
