// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The smaller relation becomes a table with open addresses; then each row of
// the other looks for its key. A slot without key has EMPTY.
#define EMPTY -1

typedef struct {
  int key, payload;
} row;

uint hash(int key, uint mask) { return ((uint)key * 2654435769u >> 7) & mask; }

kernel void build(global const row *rows, int count, volatile global int *keys,
                  global int *payloads, uint mask) {
  int i = get_global_id(0);
  if (i < count) {
    uint slot = hash(rows[i].key, mask);
    while (atomic_cmpxchg(&keys[slot], EMPTY, rows[i].key) != EMPTY)
      slot = (slot + 1) & mask;
    payloads[slot] = rows[i].payload;
  }
}

kernel void probe(global const row *rows, int count, global const int *keys,
                  global const int *payloads, uint mask, global int *joined,
                  volatile global int *matches) {
  int i = get_global_id(0);
  if (i < count) {
    uint slot = hash(rows[i].key, mask);
    while (keys[slot] != EMPTY && keys[slot] != rows[i].key)
      slot = (slot + 1) & mask;
    bool found = keys[slot] != EMPTY;
    joined[i] = found ? payloads[slot] + rows[i].payload : EMPTY;
    if (found)
      atomic_inc(matches);
  }
}
