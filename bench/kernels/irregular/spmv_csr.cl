// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void spmv_csr(global const int *starts, global const int *columns,
                     global const float *values, global const float *x,
                     global float *y, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}
