// Coordinates of unsampled accesses are compared with the image's size, one by
// one. Sampled reads need no check.
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
// CHECK-NOT: ImageQuerySize
// CHECK: ret void
kernel void sampled(read_only image2d_t in, sampler_t s, local float4 *l) {
  read_imagef(in, s, (int2)(1, 1));
}

// CHECK-LABEL: @layers(
// CHECK: call spir_func <3 x i32> @_Z{{.*}}__spirv_ImageQuerySizeLod_Rint3
kernel void layers(write_only image2d_array_t out, int4 at) {
  write_imagef(out, at, (float4)(0));
}
