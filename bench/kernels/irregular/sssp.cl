// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bellman and Ford: every changed node relaxes its edges until none changes.

kernel void relax(global const int *starts, global const int *targets,
                  global const int *weights, global int *distance,
                  global const int *changed, global int *changing,
                  global int *any, int count) {
  int from = get_global_id(0);
  if (from >= count || !changed[from])
    return;
  int here = distance[from];
  for (int e = starts[from]; e < starts[from + 1]; e++) {
    int to = targets[e], through = here + weights[e];
    if (through < distance[to]) {
      atomic_min(&distance[to], through);
      changing[to] = 1;
      *any = 1;
    }
  }
}

kernel void settle(global int *changed, global int *changing, int count) {
  int i = get_global_id(0);
  if (i < count) {
    changed[i] = changing[i];
    changing[i] = 0;
  }
}
