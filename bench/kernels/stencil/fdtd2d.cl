// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void step_ey(global const float *fict, global float *ey,
                    global const float *hz, int t, int nx, int ny) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < nx && j < ny) {
    if (i == 0)
      ey[i * ny + j] = fict[t];
    else
      ey[i * ny + j] =
          ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  }
}

kernel void step_ex(global float *ex, global const float *hz, int nx, int ny) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < nx && j < ny && j > 0)
    ex[i * (ny + 1) + j] =
        ex[i * (ny + 1) + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}

kernel void step_hz(global const float *ex, global const float *ey,
                    global float *hz, int nx, int ny) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < nx && j < ny)
    hz[i * ny + j] = hz[i * ny + j] -
                     0.7f * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] +
                             ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
