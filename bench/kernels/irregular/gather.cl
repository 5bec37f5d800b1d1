kernel void gather(global const float *in, global const int *at,
                   global float *out) {
  int i = get_global_id(0);
  out[i] = in[at[i]];
}
