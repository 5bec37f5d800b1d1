// needs: cl_khr_fp64
// launch: series 256
// arg: doubles 256
// arg: zeros 2048
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void series(global const double *in, global double *out) {
  size_t i = get_global_id(0);
  double x = in[i], sum = 0, term = 1;
  for (int k = 1; k < 12; ++k) {
    term *= x / k;
    sum += term;
  }
  out[i] = sum + exp(x) + sqrt(fabs(x));
}
