// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void share(global const float *rank, global const int *out_degree,
                  global float *each, int count) {
  int page = get_global_id(0);
  if (page < count)
    each[page] = out_degree[page] ? rank[page] / out_degree[page] : 0.0f;
}

kernel void collect(global const int *starts, global const int *sources,
                    global const float *each, global float *rank, float damping,
                    int count) {
  int page = get_global_id(0);
  if (page < count) {
    float sum = 0;
    for (int i = starts[page]; i < starts[page + 1]; i++)
      sum += each[sources[i]];
    rank[page] = (1 - damping) / count + damping * sum;
  }
}
