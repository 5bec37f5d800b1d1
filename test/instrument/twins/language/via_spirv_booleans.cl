// Questions about vectors, as SPIR-V's OpAny and OpAll.
// via: spirv
// launch: asked 64
// arg: ints 512 4
// arg: floats 512
// arg: zeros 1024
kernel void asked(global const int4 *in, global const float4 *floats,
                  global int4 *out) {
  size_t i = get_global_id(0);
  int4 a = in[i], b = in[i + 64];
  char4 c = convert_char4(a) - (char4)(2);
  int4 seen = 0;
  seen.x = any(a == b) + 2 * all(a != b);
  seen.y = any(c) + 2 * all(c);
  seen.z = any(isless(floats[i], floats[i + 64])) ? 5 : 6;
  seen.w = all(isfinite(floats[i])) ? a.x : b.x;
  out[i] = seen;
}
