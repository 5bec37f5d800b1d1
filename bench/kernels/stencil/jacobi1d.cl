// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void jacobi1d(global const float *a, global float *b, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1)
    b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}
