// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A hash table of chains.
struct entry {
  global struct entry *next;
  int key, value;
};

struct slot {
  global struct entry *first;
};

kernel void look_up(global const struct slot *table, uint mask,
                    global const int *wanted, global int *found, int count) {
  int i = get_global_id(0);
  if (i < count) {
    int key = wanted[i], answer = -1;
    for (global struct entry *e = table[(uint)key & mask].first; e; e = e->next)
      if (e->key == key) {
        answer = e->value;
        break;
      }
    found[i] = answer;
  }
}
