// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One column after the other, in place, without pivots.

kernel void scale(global float *a, int k, int n) {
  int i = get_global_id(0);
  if (i > k && i < n)
    a[i * n + k] = a[i * n + k] / a[k * n + k];
}

kernel void eliminate(global float *a, int k, int n) {
  int j = get_global_id(0) + k + 1, i = get_global_id(1) + k + 1;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
