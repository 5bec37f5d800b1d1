// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A leaf's children are the records' numbers.
#define ORDER 16

typedef struct {
  int count;
  int is_leaf;
  int keys[ORDER];
  int children[ORDER + 1];
} node;

kernel void find(global const node *tree, int height, int root,
                 global const int *values, global const int *wanted,
                 global int *answers, int queries) {
  int q = get_global_id(0);
  if (q >= queries)
    return;
  int key = wanted[q], at = root;
  for (int level = 1; level < height; level++) {
    int i = 0;
    while (i < tree[at].count && key >= tree[at].keys[i])
      i++;
    at = tree[at].children[i];
  }
  int answer = -1;
  for (int i = 0; i < tree[at].count; i++)
    if (tree[at].keys[i] == key)
      answer = values[tree[at].children[i]];
  answers[q] = answer;
}
