// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The cheapest way down a wall, several rows in a launch: a group's columns
// overlap its neighbors' by as many as there are rows.

kernel void rows_down(global const int *wall, global const int *from,
                      global int *to, int columns, int first, int rows,
                      local int *prev, local int *result) {
  int size = get_local_size(0), tx = get_local_id(0);
  int inner = size - 2 * rows;
  int x = inner * (int)get_group_id(0) - rows + tx;
  bool inside = x >= 0 && x < columns;
  if (inside)
    prev[tx] = from[x];
  barrier(CLK_LOCAL_MEM_FENCE);

  bool computed = false;
  for (int i = 0; i < rows; i++) {
    computed = inside && tx > i && tx < size - 1 - i;
    if (computed) {
      int left = x > 0 ? prev[tx - 1] : INT_MAX;
      int right = x < columns - 1 ? prev[tx + 1] : INT_MAX;
      int least = min(prev[tx], min(left, right));
      result[tx] = least + wall[(first + i) * columns + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (computed)
      prev[tx] = result[tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed)
    to[x] = result[tx];
}
