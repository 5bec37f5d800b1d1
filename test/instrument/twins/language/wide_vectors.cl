// Builtins on vectors of 128 bytes. PoCL 6.0 gives zeros if it has them from
// SPIR-V (compiler/emit/wide_vectors).
// launch: whole 4
// arg: ints 1024 1000
// arg: zeros 4096
// launch: chosen 4
// arg: ints 1024 1000
// arg: zeros 4096
// launch: moved 4
// arg: ints 1024 1000
// arg: zeros 4096
// launch: stored 4
// arg: ints 1024 1000
// arg: zeros 4096
kernel void stored(global const int16 *in, global long *out) {
  size_t i = get_global_id(0);
  vstore16(convert_long16(in[i]) * 5, i, out + 3);
}
kernel void whole(global const int16 *in, global long16 *out) {
  size_t i = get_global_id(0);
  long16 a = convert_long16(in[i]) << 30, b = convert_long16(in[i + 4]) << 28;
  out[i] = max(a, b) + popcount(a) + add_sat(a, b) + rotate(a, b) +
           clamp(a, 3L, 1L << 38) + as_long16(abs_diff(a, b)) +
           upsample(in[i], as_uint16(in[i + 4])) + mul_hi(a, b);
}
kernel void chosen(global const int16 *in, global long16 *out) {
  size_t i = get_global_id(0);
  long16 a = convert_long16(in[i]), b = convert_long16(in[i + 4]);
  out[i] = select(a, b, a < b) + bitselect(a, b, a * 3) + any(a < b) * 7;
}
kernel void moved(global const int16 *in, global long16 *out) {
  size_t i = get_global_id(0);
  long16 a = convert_long16(in[i]), b = convert_long16(in[i + 4]);
  out[i] = shuffle(a, as_ulong16(b)) + shuffle2(b, a, as_ulong16(a)) +
           shuffle(a.lo, as_ulong16(b));
}
