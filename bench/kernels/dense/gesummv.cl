// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = alpha * a * x + beta * b * x

kernel void gesummv(global const float *a, global const float *b,
                    global const float *x, global float *y, global float *tmp,
                    float alpha, float beta, int n) {
  int i = get_global_id(0);
  if (i < n) {
    tmp[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) {
      tmp[i] += a[i * n + j] * x[j];
      y[i] += b[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
