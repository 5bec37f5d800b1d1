// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launched three times: (a * b) * (c * d)

kernel void product(global const float *x, global const float *y,
                    global float *out, uint rows, uint columns, uint inner) {
  size_t row = get_global_id(1), column = get_global_id(0);
  if (row >= rows || column >= columns)
    return;
  float sum = 0;
  for (uint k = 0; k < inner; k++)
    sum += x[row * inner + k] * y[k * columns + column];
  out[row * columns + column] = sum;
}
