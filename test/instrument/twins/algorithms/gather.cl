// launch: gather 4096
// arg: floats 4096
// arg: ints 4096 4096
// arg: zeros 16384
kernel void gather(global const float *in, global const int *index,
                   global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[index[i]];
}
