// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void jacobi2d(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] =
        0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
