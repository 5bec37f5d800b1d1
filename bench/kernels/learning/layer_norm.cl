// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define GROUP 64

kernel void layer_norm(global const float *x, global const float *gain,
                       global const float *bias, global float *y, int columns,
                       float epsilon) {
  local float sums[GROUP], squares[GROUP];
  int row = get_group_id(0), l = get_local_id(0);
  float sum = 0, square = 0;
  for (int i = l; i < columns; i += GROUP) {
    float v = x[row * columns + i];
    sum += v;
    square += v * v;
  }
  sums[l] = sum;
  squares[l] = square;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = GROUP / 2; s > 0; s >>= 1) {
    if (l < s) {
      sums[l] += sums[l + s];
      squares[l] += squares[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float mean = sums[0] / columns;
  float scale = rsqrt(squares[0] / columns - mean * mean + epsilon);
  for (int i = l; i < columns; i += GROUP)
    y[row * columns + i] =
        (x[row * columns + i] - mean) * scale * gain[i] + bias[i];
}
