// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void reduce(global const float *in, global float *out, uint n,
                   local float *tile) {
  uint l = get_local_id(0);
  float sum = 0;
  for (uint i = get_group_id(0) * (get_local_size(0) * 2) + l; i < n;
       i += get_local_size(0) * 2 * get_num_groups(0)) {
    sum += in[i];
    if (i + get_local_size(0) < n)
      sum += in[i + get_local_size(0)];
  }
  tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
    if (l < width)
      tile[l] += tile[l + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = tile[0];
}
