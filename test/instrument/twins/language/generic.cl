// options: -cl-std=CL3.0
// needs: __opencl_c_generic_address_space
// launch: mixed 256 64
// arg: ints 256 100
// arg: zeros 2048
// arg: local 256
int pick(const int *p, int i) { return p[i] * 2; }
kernel void mixed(global int *in, global int *out, local int *scratch) {
  int l = get_local_id(0), i = get_global_id(0);
  int mine[4] = {i, l, i + l, 4};
  scratch[l] = in[i] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = i & 1 ? (int *)&in[0] : (int *)scratch;
  out[2 * i] = pick(p, l) + pick(mine, l & 3);
  out[2 * i + 1] = pick(scratch, 63 - l) + pick(in, i);
}
