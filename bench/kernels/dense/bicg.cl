// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// q = a * p, s = transposed(a) * r

kernel void rows(global const float *a, global const float *p, global float *q,
                 int nx, int ny) {
  int i = get_global_id(0);
  if (i < nx) {
    float sum = 0;
    for (int j = 0; j < ny; j++)
      sum += a[i * ny + j] * p[j];
    q[i] = sum;
  }
}

kernel void columns(global const float *a, global const float *r,
                    global float *s, int nx, int ny) {
  int j = get_global_id(0);
  if (j < ny) {
    float sum = 0;
    for (int i = 0; i < nx; i++)
      sum += a[i * ny + j] * r[i];
    s[j] = sum;
  }
}
