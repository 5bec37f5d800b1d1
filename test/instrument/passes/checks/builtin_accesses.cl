// What each builtin touches: builtin_accesses.def, from OpenCL C and from
// SPIR-V.
// RUN: %clc --variant checked --manifest - %s -- -cl-std=CL3.0 | tr '{' '\n' | FileCheck %s
// RUN: clang-19 -cl-std=CL3.0 -target spir64 -O1 -Xclang -disable-llvm-passes -Xclang -finclude-default-header -emit-llvm -c -o %t.bc %s
// RUN: llvm-spirv-19 -o %t.spv %t.bc
// RUN: %clc --variant checked --manifest - %t.spv | tr '{' '\n' | FileCheck %s --check-prefix=IL
// RUN: %clc --variant checked -o %t.out %t.spv && spirv-dis %t.out | FileCheck %s --check-prefix=OUT
// OUT: OpExtInst %v4float %{{.*}} vloadn
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global float *f, global half *h, local float *l, global int *i,
              volatile global int *a, global float4 *v, int n) {
  // CHECK: "access":"read","space":"global","builtin":"vload4","type":"float4","bytes":16,"align":4
  // IL: "access":"read","space":"{{global|generic}}","builtin":"vloadn","type":"float4","bytes":16,"align":4
  float4 x = vload4(n, f);
  // CHECK: "access":"write","space":"global","builtin":"vstore3","type":"float3","bytes":12,"align":4
  // IL: "access":"write","space":"{{global|generic}}","builtin":"vstoren","type":"float3","bytes":12,"align":4
  vstore3(x.xyz, n, f);
  // CHECK: "builtin":"vload_half4","type":"float4","bytes":8,"align":2
  // IL: "builtin":"vload_halfn","type":"float4","bytes":8,"align":2
  x += vload_half4(n, h);
  // CHECK: "builtin":"vloada_half3","type":"float3","bytes":8,"align":8
  // IL: "builtin":"vloada_halfn","type":"float3","bytes":8,"align":8
  x.xyz += vloada_half3(n, h);
  // CHECK: "access":"write",{{.*}}"builtin":"vstore_half_rte","type":"float","bytes":2,"align":2
  // IL: "access":"write",{{.*}}"builtin":"vstore_half_r","type":"float","bytes":2,"align":2
  vstore_half_rte(x.x, n, h);
  // CHECK: "access":"write",{{.*}}"builtin":"fract","type":"float4","bytes":16,"align":4
  // IL: "access":"write",{{.*}}"builtin":"fract","type":"float4","bytes":16,"align":4
  x = fract(x, v + n);
  // An object of three elements is as large as one of four.
  // CHECK: "access":"write",{{.*}}"builtin":"modf","type":"float3","bytes":16,"align":4
  // IL: "access":"write",{{.*}}"builtin":"modf","type":"float3","bytes":16,"align":4
  x.xyz = modf(x.xyz, (global float3 *)v + n);
  // CHECK: "access":"write",{{.*}}"builtin":"frexp","type":"int","bytes":4,"align":4
  // IL: "access":"write",{{.*}}"builtin":"frexp","type":"int","bytes":4,"align":4
  x.x = frexp(x.x, i + n);
  // CHECK: "access":"atomic",{{.*}}"builtin":"atomic_cmpxchg","type":"int","bytes":4,"align":4
  // IL: "access":"atomic",{{.*}}"builtin":"AtomicCompareExchange","type":"int","bytes":4,"align":4
  atomic_cmpxchg(a + n, 1, 2);
  // CHECK-NOT: prefetch
  // IL-NOT: prefetch
  prefetch(v, n);
  // CHECK: "access":"write","space":"global","builtin":"async_work_group_strided_copy"
  // CHECK: "access":"read","space":"local","builtin":"async_work_group_strided_copy"
  // IL: "access":"write","space":"global","builtin":"GroupAsyncCopy"
  // IL: "access":"read","space":"local","builtin":"GroupAsyncCopy"
  event_t e = async_work_group_strided_copy(f, l, n, 2, 0);
  wait_group_events(1, &e);
  // CHECK: "access":"write","space":"global",{{.*}}"type":"float4","bytes":16,"align":16
  // IL: "access":"write","space":"global",{{.*}}"type":"float4","bytes":16,"align":16
  v[n] = x;
}
