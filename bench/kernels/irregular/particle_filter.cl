// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One step of tracking a bright disc in a noisy picture.

kernel void likelihoods(global const float *xs, global const float *ys,
                        global const uchar *picture, int w, int h,
                        global const int2 *disc, int disc_size,
                        global float *weights, int particles) {
  int i = get_global_id(0);
  if (i >= particles)
    return;
  float sum = 0;
  for (int k = 0; k < disc_size; k++) {
    int x = convert_int_rte(xs[i]) + disc[k].x,
        y = convert_int_rte(ys[i]) + disc[k].y;
    if (x >= 0 && x < w && y >= 0 && y < h) {
      float v = picture[y * w + x];
      sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 5000.0f;
    }
  }
  weights[i] = exp(sum / disc_size);
}

kernel void sum_weights(global const float *weights, global float *partial,
                        int particles, local float *buffer) {
  int l = get_local_id(0), i = get_global_id(0);
  buffer[l] = i < particles ? weights[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s)
      buffer[l] += buffer[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    partial[get_group_id(0)] = buffer[0];
}

kernel void cumulate(global float *weights, global const float *partial,
                     int groups, global float *cdf, int particles) {
  float total = 0;
  for (int g = 0; g < groups; g++)
    total += partial[g];
  float sum = 0;
  for (int i = 0; i < particles; i++) {
    weights[i] /= total;
    sum += weights[i];
    cdf[i] = sum;
  }
}

kernel void resample(global const float *cdf, global const float *xs,
                     global const float *ys, global float *new_xs,
                     global float *new_ys, float u0, int particles) {
  int i = get_global_id(0);
  if (i >= particles)
    return;
  float u = (i + u0) / particles;
  int low = 0, high = particles - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (cdf[middle] >= u)
      high = middle;
    else
      low = middle + 1;
  }
  new_xs[i] = xs[low];
  new_ys[i] = ys[low];
}
