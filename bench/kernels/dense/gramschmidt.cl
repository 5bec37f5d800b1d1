// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// a = q * r, one column after the other.

kernel void length_of(global const float *a, global float *r, int k, int m,
                      int n) {
  if (get_global_id(0) == 0) {
    float square = 0;
    for (int i = 0; i < m; i++)
      square += a[i * n + k] * a[i * n + k];
    r[k * n + k] = sqrt(square);
  }
}

kernel void direction(global const float *a, global const float *r,
                      global float *q, int k, int m, int n) {
  int i = get_global_id(0);
  if (i < m)
    q[i * n + k] = a[i * n + k] / r[k * n + k];
}

kernel void subtract(global float *a, global float *r, global const float *q,
                     int k, int m, int n) {
  int j = get_global_id(0) + k + 1;
  if (j < n) {
    r[k * n + j] = 0;
    for (int i = 0; i < m; i++)
      r[k * n + j] += q[i * n + k] * a[i * n + j];
    for (int i = 0; i < m; i++)
      a[i * n + j] -= q[i * n + k] * r[k * n + j];
  }
}
