// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void means(global float *mean, global const float *data, int points,
                  int features) {
  int j = get_global_id(0);
  if (j < features) {
    float sum = 0;
    for (int i = 0; i < points; i++)
      sum += data[i * features + j];
    mean[j] = sum / points;
  }
}

kernel void center(global float *data, global const float *mean, int points,
                   int features) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < points && j < features)
    data[i * features + j] -= mean[j];
}

kernel void covary(global const float *data, global float *cov, int points,
                   int features) {
  int j2 = get_global_id(0), j1 = get_global_id(1);
  if (j1 < features && j2 >= j1 && j2 < features) {
    float sum = 0;
    for (int i = 0; i < points; i++)
      sum += data[i * features + j1] * data[i * features + j2];
    cov[j1 * features + j2] = sum / (points - 1);
    cov[j2 * features + j1] = sum / (points - 1);
  }
}
