// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

typedef struct {
  int start, edges;
} node;

kernel void expand(global const node *nodes, global const int *edges,
                   global char *frontier, global char *updating,
                   global const char *visited, global int *cost, int count) {
  int id = get_global_id(0);
  if (id < count && frontier[id]) {
    frontier[id] = 0;
    for (int i = nodes[id].start; i < nodes[id].start + nodes[id].edges; i++) {
      int to = edges[i];
      if (!visited[to]) {
        cost[to] = cost[id] + 1;
        updating[to] = 1;
      }
    }
  }
}

kernel void advance(global char *frontier, global char *updating,
                    global char *visited, global int *over, int count) {
  int id = get_global_id(0);
  if (id < count && updating[id]) {
    frontier[id] = 1;
    visited[id] = 1;
    *over = 1;
    updating[id] = 0;
  }
}
