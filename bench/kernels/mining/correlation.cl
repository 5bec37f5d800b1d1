// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void means(global float *mean, global const float *data, int points,
                  int features) {
  int j = get_global_id(0);
  if (j < features) {
    mean[j] = 0;
    for (int i = 0; i < points; i++)
      mean[j] += data[i * features + j];
    mean[j] /= points;
  }
}

kernel void deviations(global float *deviation, global const float *mean,
                       global const float *data, int points, int features,
                       float least) {
  int j = get_global_id(0);
  if (j < features) {
    float sum = 0;
    for (int i = 0; i < points; i++) {
      float d = data[i * features + j] - mean[j];
      sum += d * d;
    }
    float s = sqrt(sum / points);
    deviation[j] = s <= least ? 1.0f : s;
  }
}

kernel void standardize(global float *data, global const float *mean,
                        global const float *deviation, int points,
                        int features) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < points && j < features) {
    data[i * features + j] -= mean[j];
    data[i * features + j] /= sqrt((float)points) * deviation[j];
  }
}

kernel void correlate(global const float *data, global float *corr, int points,
                      int features) {
  int j1 = get_global_id(0);
  if (j1 < features) {
    corr[j1 * features + j1] = 1.0f;
    for (int j2 = j1 + 1; j2 < features; j2++) {
      float sum = 0;
      for (int i = 0; i < points; i++)
        sum += data[i * features + j1] * data[i * features + j2];
      corr[j1 * features + j2] = sum;
      corr[j2 * features + j1] = sum;
    }
  }
}
