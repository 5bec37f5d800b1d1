// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// c = alpha * (a * transposed(b) + b * transposed(a)) + beta * c

kernel void syr2k(global const float *a, global const float *b, global float *c,
                  float alpha, float beta, int n, int m) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) {
    c[i * n + j] *= beta;
    for (int k = 0; k < m; k++) {
      c[i * n + j] += alpha * a[i * m + k] * b[j * m + k];
      c[i * n + j] += alpha * b[i * m + k] * a[j * m + k];
    }
  }
}
