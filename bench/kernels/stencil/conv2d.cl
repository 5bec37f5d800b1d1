// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any odd filter; what lies outside of the picture is its edge.

kernel void conv2d(global const float *in, global float *out,
                   constant float *filter, int w, int h, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  int side = 2 * radius + 1;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = clamp(x + dx, 0, w - 1), sy = clamp(y + dy, 0, h - 1);
      sum += in[sy * w + sx] * filter[(dy + radius) * side + dx + radius];
    }
  out[y * w + x] = sum;
}
