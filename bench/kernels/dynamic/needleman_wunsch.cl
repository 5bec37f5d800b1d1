// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Global alignment, by blocks along anti-diagonals. Row and column 0 of the
// scores are given.
#define BLOCK 16

kernel void align_blocks(global const int *first, global const int *second,
                         constant int *similarity, global int *score, int width,
                         int penalty, int symbols, int diagonal, int start) {
  local int temp[BLOCK + 1][BLOCK + 1];
  local int ref[BLOCK][BLOCK];
  int tx = get_local_id(0);
  int bx = get_group_id(0) + start, by = diagonal - bx;
  int base = by * BLOCK * width + bx * BLOCK;

  for (int ty = 0; ty < BLOCK; ty++)
    ref[ty][tx] =
        similarity[first[by * BLOCK + ty] * symbols + second[bx * BLOCK + tx]];
  if (tx == 0)
    temp[0][0] = score[base];
  temp[tx + 1][0] = score[base + (tx + 1) * width];
  temp[0][tx + 1] = score[base + tx + 1];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int m = 0; m < BLOCK; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = BLOCK - 2; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + BLOCK - m, y = BLOCK - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int ty = 0; ty < BLOCK; ty++)
    score[base + (ty + 1) * width + tx + 1] = temp[ty + 1][tx + 1];
}
