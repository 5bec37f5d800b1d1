// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LU decomposition by blocks.
#define BLOCK 16

kernel void diagonal(global float *m, int dim, int offset) {
  local float shadow[BLOCK][BLOCK];
  int tx = get_local_id(0);
  for (int i = 0; i < BLOCK; i++)
    shadow[i][tx] = m[(offset + i) * dim + offset + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < BLOCK - 1; i++) {
    if (tx > i) {
      for (int j = 0; j < i; j++)
        shadow[tx][i] -= shadow[tx][j] * shadow[j][i];
      shadow[tx][i] /= shadow[i][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx > i)
      for (int j = 0; j < i + 1; j++)
        shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 1; i < BLOCK; i++)
    m[(offset + i) * dim + offset + tx] = shadow[i][tx];
}

// Half of a group takes a block right of the diagonal one, the other half the
// one below it.
kernel void perimeter(global float *m, int dim, int offset) {
  local float dia[BLOCK][BLOCK], row[BLOCK][BLOCK], column[BLOCK][BLOCK];
  int tx = get_local_id(0), next = (get_group_id(0) + 1) * BLOCK;
  int idx = tx < BLOCK ? tx : tx - BLOCK;
  for (int i = tx / BLOCK; i < BLOCK; i += 2)
    dia[i][idx] = m[(offset + i) * dim + offset + idx];
  if (tx < BLOCK)
    for (int i = 0; i < BLOCK; i++)
      row[i][idx] = m[(offset + i) * dim + offset + next + idx];
  else
    for (int i = 0; i < BLOCK; i++)
      column[i][idx] = m[(offset + next + i) * dim + offset + idx];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tx < BLOCK) {
    for (int i = 1; i < BLOCK; i++)
      for (int j = 0; j < i; j++)
        row[i][idx] -= dia[i][j] * row[j][idx];
  } else {
    for (int i = 0; i < BLOCK; i++) {
      for (int j = 0; j < i; j++)
        column[idx][i] -= column[idx][j] * dia[j][i];
      column[idx][i] /= dia[i][i];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tx < BLOCK)
    for (int i = 1; i < BLOCK; i++)
      m[(offset + i) * dim + offset + next + idx] = row[i][idx];
  else
    for (int i = 0; i < BLOCK; i++)
      m[(offset + next + i) * dim + offset + idx] = column[i][idx];
}

kernel void internal(global float *m, int dim, int offset) {
  local float row[BLOCK][BLOCK], column[BLOCK][BLOCK];
  int tx = get_local_id(0), ty = get_local_id(1);
  int global_row = offset + (get_group_id(1) + 1) * BLOCK,
      global_column = offset + (get_group_id(0) + 1) * BLOCK;
  row[ty][tx] = m[(offset + ty) * dim + global_column + tx];
  column[ty][tx] = m[(global_row + ty) * dim + offset + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = 0; i < BLOCK; i++)
    sum += column[ty][i] * row[i][tx];
  m[(global_row + ty) * dim + global_column + tx] -= sum;
}
