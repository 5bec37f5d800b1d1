// Saturated and rounded conversions of SPIR-V, which are decorations there.
// via: spirv
// launch: converted 64
// arg: ints 512 100000
// arg: floats 512
// arg: zeros 4096
kernel void converted(global const int4 *in, global const float4 *floats,
                      global int4 *out) {
  size_t i = get_global_id(0);
  int4 a = in[i] - 50000;
  float4 f = floats[i] * 300.0f;
  out[i] = convert_int4(convert_uchar4_sat(a)) + convert_int4(convert_short4_sat(a));
  out[i + 64] = convert_int4_rte(f) + convert_int4_rtp(f) * 3 + convert_int4_sat_rtn(f * 1e9f);
  out[i + 128] = convert_int4(convert_char4_sat_rtz(f)) + convert_int_sat(f.x * 1e9f) + (int)(char)convert_char_sat(a.x);
  out[i + 192] = as_int4(convert_float4_rtz(a * 1000)) + as_int4(convert_float4_rtp(a * 999));
}
