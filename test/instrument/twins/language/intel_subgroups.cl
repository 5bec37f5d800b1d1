// needs: cl_intel_subgroups
// launch: exchange 256 64
// arg: ints 256 100
// arg: zeros 2048
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void exchange(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  out[2 * i] = intel_sub_group_shuffle(in[i], 3);
  out[2 * i + 1] = intel_sub_group_shuffle_xor(in[i], 1);
}
