// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// x1 += a * y1, x2 += transposed(a) * y2

kernel void along(global const float *a, global float *x1,
                  global const float *y1, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j < n; j++)
      x1[i] += a[i * n + j] * y1[j];
}

kernel void across(global const float *a, global float *x2,
                   global const float *y2, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j < n; j++)
      x2[i] += a[j * n + i] * y2[j];
}
