// Coordinates of unsampled accesses are compared with the image's size, one by
// one. Sampled reads need a check only if the sampler has no addressing mode.
// RUN: %clc --variant checked --device pocl --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --device pocl -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// RUN: %clc --variant checked --device intel -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// CHECK-LABEL: @plain(
// CHECK: call spir_func <2 x i32> @_Z{{.*}}__spirv_ImageQuerySizeLod_Rint2
// CHECK: icmp uge i32
// CHECK: icmp uge i32
// CHECK: br i1
// CHECK: call spir_func void @warpsan_report
// CHECK: phi <4 x float> [ zeroinitializer
kernel void plain(read_only image2d_t in, write_only image1d_t out, int x) {
  // CHECK: call spir_func i32 @_Z{{.*}}__spirv_ImageQuerySizeLod_Rint
  write_imagef(out, x, read_imagef(in, (int2)(x, x)));
}

// CHECK-LABEL: @sampled(
// CHECK: ImageQuerySize
// CHECK: icmp ult i64 %warpsan.size.1, 4
// CHECK: ret void
kernel void sampled(read_only image2d_t in, sampler_t s, global float4 *to) {
  *to = read_imagef(in, s, (int2)(1, 1));
}

// CHECK-LABEL: @addressed(
// CHECK-NOT: ImageQuerySize
// CHECK: ret void
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void addressed(read_only image2d_t in, global float4 *to) {
  *to = read_imagef(in, edge, (float2)(100, 1));
}

// A launch whose sampler has an addressing mode needs no check.
// RUN: %clc --variant lean --device pocl -o %t.spv --manifest %t.json %s
// RUN: FileCheck %s --check-prefix=LEAN < %t.json
// LEAN: "name":"sampled"{{.*}}"builtin":"read_imagef",{{.*}}"state":"claimed"

// CHECK-LABEL: @layers(
// CHECK: call spir_func <3 x i32> @_Z{{.*}}__spirv_ImageQuerySizeLod_Rint3
kernel void layers(write_only image2d_array_t out, int4 at) {
  write_imagef(out, at, (float4)(0));
}
