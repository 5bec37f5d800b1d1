// Images and samplers keep their types. Images get no size; that of a sampler says
// whether it has an addressing mode.
// RUN: %clc --variant checked --device pocl --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --device pocl -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// CHECK: define {{.*}}spir_kernel void @k(target("spirv.Image", {{[^%]*}} %in, target("spirv.Sampler") %s, target("spirv.Image", {{[^%]*}} %out, ptr addrspace(1) {{[^,]*}}%g, i64 %warpsan.size.1, i64 %warpsan.size.3, i64 %warpsan.launch, ptr addrspace(1) %warpsan.records)
kernel void k(read_only image2d_t in, sampler_t s, write_only image2d_t out,
              global float *g) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, s, p) + g[0]);
}
