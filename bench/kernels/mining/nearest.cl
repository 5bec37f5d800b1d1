// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The K nearest places of each query, nearest first.
#define K 8

typedef struct {
  float latitude, longitude;
} place;

kernel void nearest(global const place *places, int count,
                    global const place *queries, int query_count,
                    global float *distances, global int *indices) {
  int q = get_global_id(0);
  if (q >= query_count)
    return;
  float best[K];
  int at[K];
  for (int k = 0; k < K; k++) {
    best[k] = INFINITY;
    at[k] = -1;
  }
  place from = queries[q];
  for (int i = 0; i < count; i++) {
    float dx = places[i].latitude - from.latitude,
          dy = places[i].longitude - from.longitude;
    float d = sqrt(dx * dx + dy * dy);
    if (d < best[K - 1]) {
      int k = K - 1;
      for (; k > 0 && best[k - 1] > d; k--) {
        best[k] = best[k - 1];
        at[k] = at[k - 1];
      }
      best[k] = d;
      at[k] = i;
    }
  }
  for (int k = 0; k < K; k++) {
    distances[q * K + k] = best[k];
    indices[q * K + k] = at[k];
  }
}
