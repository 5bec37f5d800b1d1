// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void gemm(global const float *a, global const float *b, global float *c,
                 float alpha, float beta, int ni, int nj, int nk) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < ni && j < nj) {
    float sum = 0;
    for (int k = 0; k < nk; ++k)
      sum += a[i * nk + k] * b[k * nj + j];
    c[i * nj + j] = alpha * sum + beta * c[i * nj + j];
  }
}
