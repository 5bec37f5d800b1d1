// The same with doubles, and with results that come by pointers.
// needs: cl_khr_fp64
// launch: whole 4
// arg: doubles 128
// arg: zeros 4096
// launch: stored 4
// arg: doubles 128
// arg: zeros 4096
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void whole(global const double16 *in, global double16 *out) {
  size_t i = get_global_id(0);
  double16 x = in[i], y = in[i + 4], whole;
  int16 exponent;
  double16 part = modf(x * 10, &whole);
  double16 mantissa = frexp(y, &exponent);
  out[i] = fmax(x, y) + floor(x * 8) + part * 2 + whole + mantissa;
  out[i + 4] = ldexp(fabs(x), exponent) + fmin(x, 0.25) + convert_double16(exponent);
}
kernel void stored(global const double16 *in, global half *out) {
  size_t i = get_global_id(0);
  vstore_half16(in[i], i, out + 1);
  vstorea_half16_rtz(in[i + 4], i, out + 1024);
  vstore16(in[i], i, (global double *)out + 100);
}
