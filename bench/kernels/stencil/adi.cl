// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Alternating directions: each work-item solves a tridiagonal system along a
// column (u -> v), then along a row (v -> u).

kernel void columns(global const float *u, global float *v, global float *p,
                    global float *q, float a, float b, float d, int n) {
  int i = get_global_id(0);
  if (i < 1 || i >= n - 1)
    return;
  v[i] = 1;
  p[i * n] = 0;
  q[i * n] = v[i];
  for (int j = 1; j < n - 1; j++) {
    p[i * n + j] = -a / (a * p[i * n + j - 1] + b);
    q[i * n + j] = (-d * u[j * n + i - 1] + (1 + 2 * d) * u[j * n + i] -
                    d * u[j * n + i + 1] - a * q[i * n + j - 1]) /
                   (a * p[i * n + j - 1] + b);
  }
  v[(n - 1) * n + i] = 1;
  for (int j = n - 2; j >= 1; j--)
    v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
}

kernel void rows(global float *u, global const float *v, global float *p,
                 global float *q, float a, float b, float d, int n) {
  int i = get_global_id(0);
  if (i < 1 || i >= n - 1)
    return;
  u[i * n] = 1;
  p[i * n] = 0;
  q[i * n] = u[i * n];
  for (int j = 1; j < n - 1; j++) {
    p[i * n + j] = -d / (d * p[i * n + j - 1] + b);
    q[i * n + j] = (-a * v[(i - 1) * n + j] + (1 + 2 * a) * v[i * n + j] -
                    a * v[(i + 1) * n + j] - d * q[i * n + j - 1]) /
                   (d * p[i * n + j - 1] + b);
  }
  u[i * n + n - 1] = 1;
  for (int j = n - 2; j >= 1; j--)
    u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
}
