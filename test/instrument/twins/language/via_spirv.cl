// via: spirv
// launch: mixed 256 64
// arg: floats 256
// arg: zeros 1024
// arg: local 256
// arg: float 0.5
// launch: count 256
// arg: ints 256 16
// arg: zeros 64
float step(float x, float f) { return x * f + 1.0f; }
kernel void mixed(global const float *in, global float *out, local float *s,
                  float f) {
  int l = get_local_id(0), i = get_global_id(0);
  s[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += step(s[(l + k) & 63], f) * sin(sum);
  out[i] = sum + fma(f, sum, 2.0f) + mad(f, sum, 1.0f);
}
kernel void count(global const int *in, global int *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]);
}
