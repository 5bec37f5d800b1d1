// options: -cl-std=CL3.0
// needs: __opencl_c_subgroups
// launch: sums 256 64
// arg: ints 256 100
// arg: zeros 4096
kernel void sums(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[4 * i] = sub_group_reduce_add(in[i]);
  out[4 * i + 1] = sub_group_scan_exclusive_add(in[i]);
  out[4 * i + 2] = sub_group_broadcast(in[i], 0);
  out[4 * i + 3] = get_sub_group_local_id() + 100 * get_sub_group_id();
}
