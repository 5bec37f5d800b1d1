// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A work-item takes one column of the volume.

kernel void conv3d(global const float *a, global float *b,
                   global const float *c, int ni, int nj, int nk) {
  int k = get_global_id(0), j = get_global_id(1);
  if (j > 0 && k > 0 && j < nj - 1 && k < nk - 1)
    for (int i = 1; i < ni - 1; i++) {
      float sum = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          for (int dk = -1; dk <= 1; dk++)
            sum += c[(di + 1) * 9 + (dj + 1) * 3 + (dk + 1)] *
                   a[(i + di) * (nj * nk) + (j + dj) * nk + (k + dk)];
      b[i * (nj * nk) + j * nk + k] = sum;
    }
}
