// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// a += u1 * v1 + u2 * v2, x = beta * transposed(a) * y + z, w = alpha * a * x

kernel void update(global float *a, global const float *u1,
                   global const float *v1, global const float *u2,
                   global const float *v2, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n)
    a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

kernel void back(global const float *a, global float *x, global const float *y,
                 global const float *z, float beta, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += beta * a[j * n + i] * y[j];
    x[i] = sum + z[i];
  }
}

kernel void forth(global const float *a, global const float *x, global float *w,
                  float alpha, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += alpha * a[i * n + j] * x[j];
    w[i] = sum;
  }
}
