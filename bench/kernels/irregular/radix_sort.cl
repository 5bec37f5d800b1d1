// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Four bits a pass. Each work-item has a part of the keys to itself, and a
// column of the table of counts.
#define RADIX 16

kernel void count_digits(global const uint *keys, global uint *table, int n,
                         int each, int shift) {
  int item = get_global_id(0), items = get_global_size(0);
  uint counts[RADIX];
  for (int d = 0; d < RADIX; d++)
    counts[d] = 0;
  for (int i = item * each; i < min((item + 1) * each, n); i++)
    counts[(keys[i] >> shift) & (RADIX - 1)]++;
  for (int d = 0; d < RADIX; d++)
    table[d * items + item] = counts[d];
}

// One group: each work-item sums a part of the table, then all add the parts
// before theirs.
kernel void scan_table(global uint *table, int size, local uint *sums) {
  int l = get_local_id(0),
      each = (size + get_local_size(0) - 1) / get_local_size(0);
  int first = l * each, last = min(first + each, size);
  uint sum = 0;
  for (int i = first; i < last; i++)
    sum += table[i];
  sums[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint before = 0;
  for (int i = 0; i < l; i++)
    before += sums[i];
  for (int i = first; i < last; i++) {
    uint count = table[i];
    table[i] = before;
    before += count;
  }
}

kernel void scatter(global const uint *keys, global uint *out,
                    global const uint *table, int n, int each, int shift) {
  int item = get_global_id(0), items = get_global_size(0);
  uint next[RADIX];
  for (int d = 0; d < RADIX; d++)
    next[d] = table[d * items + item];
  for (int i = item * each; i < min((item + 1) * each, n); i++) {
    uint key = keys[i], digit = (key >> shift) & (RADIX - 1);
    out[next[digit]++] = key;
  }
}
