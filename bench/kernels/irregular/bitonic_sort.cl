// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Short distances of a merge are done together, in local memory.

void compare(local uint *a, local uint *b, bool up) {
  if ((*a > *b) == up) {
    uint t = *a;
    *a = *b;
    *b = t;
  }
}

kernel void merge_far(global uint *keys, uint stage, uint distance) {
  uint i = get_global_id(0);
  uint at = 2 * i - (i & (distance - 1));
  bool up = (at & stage) == 0;
  uint a = keys[at], b = keys[at + distance];
  if ((a > b) == up) {
    keys[at] = b;
    keys[at + distance] = a;
  }
}

kernel void merge_near(global uint *keys, uint first_stage, uint last_stage,
                       local uint *tile) {
  uint l = get_local_id(0), size = get_local_size(0),
       base = get_group_id(0) * size * 2;
  tile[l] = keys[base + l];
  tile[l + size] = keys[base + l + size];
  for (uint stage = first_stage; stage <= last_stage; stage *= 2)
    for (uint distance = min(stage / 2, size); distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint at = 2 * l - (l & (distance - 1));
      compare(&tile[at], &tile[at + distance], ((base + at) & stage) == 0);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[base + l] = tile[l];
  keys[base + l + size] = tile[l + size];
}
