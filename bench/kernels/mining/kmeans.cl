// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void by_feature(global const float *points, global float *turned,
                       int count, int features) {
  int point = get_global_id(0);
  if (point < count)
    for (int f = 0; f < features; f++)
      turned[f * count + point] = points[point * features + f];
}

kernel void assign(global const float *turned, global const float *clusters,
                   global int *membership, int count, int cluster_count,
                   int features) {
  int point = get_global_id(0);
  if (point < count) {
    int index = 0;
    float least = FLT_MAX;
    for (int c = 0; c < cluster_count; c++) {
      float distance = 0;
      for (int f = 0; f < features; f++) {
        float d = turned[f * count + point] - clusters[c * features + f];
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        index = c;
      }
    }
    membership[point] = index;
  }
}
