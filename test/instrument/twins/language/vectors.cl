// launch: swizzle 64
// arg: floats 1024
// arg: zeros 4096
// arg: ints 256 255
// launch: halves 64
// arg: floats 256
// arg: zeros 512
kernel void swizzle(global const float *in, global float *out,
                    global const uchar *bytes) {
  size_t i = get_global_id(0);
  float4 v = vload4(i, in);
  float3 w = vload3(i, in + 1);
  int4 k = convert_int4_sat(v * 100.0f);
  v.xz = w.yx;
  v.w += as_float(k.x & 0x3f7fffff);
  v = select(v, -v, k > 0);
  uchar16 u = vload16(i / 4, bytes);
  vstore4(fma(v, v, (float4)(u.s3)), i, out);
  vstore3(w * (float)any(k < 0), i, out + 256);
  vstore2(convert_float2(u.sa7), i, out + 512);
  out[768 + i] = length(v) + mad24(k.x, 3, k.y) + popcount(k.z);
}
kernel void halves(global const float *in, global half *out) {
  size_t i = get_global_id(0);
  vstore_half4_rte(vload4(i, in), i, out);
}
