// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Exclusive prefix sums: of blocks, of the blocks' sums, then both together. A
// work-item has two elements.

kernel void scan_blocks(global const int *in, global int *out, global int *sums,
                        int n, local int *temp) {
  int l = get_local_id(0), size = get_local_size(0) * 2,
      first = get_group_id(0) * size;
  temp[2 * l] = first + 2 * l < n ? in[first + 2 * l] : 0;
  temp[2 * l + 1] = first + 2 * l + 1 < n ? in[first + 2 * l + 1] : 0;
  int offset = 1;
  for (int d = size >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    sums[get_group_id(0)] = temp[size - 1];
    temp[size - 1] = 0;
  }
  for (int d = 1; d < size; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
      int t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first + 2 * l < n)
    out[first + 2 * l] = temp[2 * l];
  if (first + 2 * l + 1 < n)
    out[first + 2 * l + 1] = temp[2 * l + 1];
}

kernel void add_sums(global int *out, global const int *sums, int n) {
  int first = 2 * get_global_id(0), sum = sums[get_group_id(0)];
  if (first < n)
    out[first] += sum;
  if (first + 1 < n)
    out[first + 1] += sum;
}
