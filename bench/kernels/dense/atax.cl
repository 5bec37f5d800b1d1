// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = transposed(a) * (a * x)

kernel void times(global const float *a, global const float *x,
                  global float *tmp, int nx, int ny) {
  int i = get_global_id(0);
  if (i < nx) {
    tmp[i] = 0;
    for (int j = 0; j < ny; j++)
      tmp[i] += a[i * ny + j] * x[j];
  }
}

kernel void transposed_times(global const float *a, global float *y,
                             global const float *tmp, int nx, int ny) {
  int j = get_global_id(0);
  if (j < ny) {
    y[j] = 0;
    for (int i = 0; i < nx; i++)
      y[j] += a[i * ny + j] * tmp[i];
  }
}
