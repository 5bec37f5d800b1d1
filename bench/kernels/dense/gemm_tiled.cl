// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define TILE 16

kernel void gemm_tiled(global const float *a, global const float *b,
                       global float *c, int n) {
  local float as[TILE][TILE], bs[TILE][TILE];
  int lx = get_local_id(0), ly = get_local_id(1);
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[ly][lx] = a[i * n + t + lx];
    bs[ly][lx] = b[(t + ly) * n + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += as[ly][k] * bs[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[i * n + j] = sum;
}
