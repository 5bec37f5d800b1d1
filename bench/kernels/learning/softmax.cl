// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A group takes a row.

kernel void softmax(global const float *in, global float *out, int columns,
                    local float *scratch) {
  int row = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
  global const float *from = in + row * columns;
  global float *to = out + row * columns;

  float largest = -INFINITY;
  for (int i = l; i < columns; i += size)
    largest = fmax(largest, from[i]);
  scratch[l] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s)
      scratch[l] = fmax(scratch[l], scratch[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0;
  for (int i = l; i < columns; i += size) {
    float e = exp(from[i] - largest);
    to[i] = e;
    sum += e;
  }
  scratch[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s)
      scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float total = scratch[0];
  for (int i = l; i < columns; i += size)
    to[i] /= total;
}
