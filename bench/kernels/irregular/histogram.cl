// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define BINS 256

kernel void count_bytes(global const uchar4 *data, uint quads,
                        global uint *partial) {
  local uint bins[BINS];
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
    bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < quads; i += get_global_size(0)) {
    uchar4 v = data[i];
    atomic_inc(&bins[v.x]);
    atomic_inc(&bins[v.y]);
    atomic_inc(&bins[v.z]);
    atomic_inc(&bins[v.w]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
    partial[get_group_id(0) * BINS + i] = bins[i];
}

kernel void merge(global const uint *partial, global uint *histogram,
                  uint groups) {
  uint bin = get_global_id(0), sum = 0;
  for (uint g = 0; g < groups; g++)
    sum += partial[g * BINS + bin];
  histogram[bin] = sum;
}
