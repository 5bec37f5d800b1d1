// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every row has room for `width` entries; an unused one has column -1. Entry k
// of all rows is stored together.

kernel void spmv_ell(global const int *columns, global const float *values,
                     global const float *x, global float *y, int rows,
                     int width) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int column = columns[k * rows + row];
    if (column < 0)
      break;
    sum += values[k * rows + row] * x[column];
  }
  y[row] = sum;
}
