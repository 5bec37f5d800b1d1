// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Causal attention: position i looks at 0 to i. Order: head, position, element.

kernel void scores(global const float *q, global const float *k,
                   global float *score, int positions, int size) {
  int j = get_global_id(0), i = get_global_id(1), head = get_global_id(2);
  if (i >= positions || j > i)
    return;
  float sum = 0;
  for (int e = 0; e < size; e++)
    sum += q[(head * positions + i) * size + e] *
           k[(head * positions + j) * size + e];
  score[(head * positions + i) * positions + j] = sum / sqrt((float)size);
}

kernel void normalize_rows(global float *score, int positions, int heads) {
  int i = get_global_id(0), head = get_global_id(1);
  if (i >= positions || head >= heads)
    return;
  global float *row = score + (head * positions + i) * positions;
  float largest = row[0];
  for (int j = 1; j <= i; j++)
    largest = max(largest, row[j]);
  float sum = 0;
  for (int j = 0; j <= i; j++) {
    row[j] = exp(row[j] - largest);
    sum += row[j];
  }
  for (int j = 0; j <= i; j++)
    row[j] /= sum;
}

kernel void weigh(global const float *score, global const float *v,
                  global float *out, int positions, int size) {
  int e = get_global_id(0), i = get_global_id(1), head = get_global_id(2);
  if (e >= size || i >= positions)
    return;
  float sum = 0;
  for (int j = 0; j <= i; j++)
    sum += score[(head * positions + i) * positions + j] *
           v[(head * positions + j) * size + e];
  out[(head * positions + i) * size + e] = sum;
}
