// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lower triangle of c = alpha * a * transposed(a) + beta * c

kernel void syrk(global const float *a, global float *c, float alpha,
                 float beta, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j <= i) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[i * m + k] * a[j * m + k];
    c[i * n + j] = beta * c[i * n + j] + alpha * sum;
  }
}
