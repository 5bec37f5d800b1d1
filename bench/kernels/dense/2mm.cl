// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// d = alpha * a * b * c + beta * d

kernel void first(global float *tmp, global const float *a,
                  global const float *b, int ni, int nj, int nk, float alpha) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < ni && j < nj) {
    tmp[i * nj + j] = 0;
    for (int k = 0; k < nk; k++)
      tmp[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

kernel void second(global const float *tmp, global const float *c,
                   global float *d, int ni, int nj, int nl, float beta) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < ni && j < nl) {
    d[i * nl + j] *= beta;
    for (int k = 0; k < nj; k++)
      d[i * nl + j] += tmp[i * nj + k] * c[k * nl + j];
  }
}
