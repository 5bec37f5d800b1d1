// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gates in the order input, forget, cell, output.

kernel void gates(global const float *w, global const float *u,
                  global const float *b, global const float *x,
                  global const float *h, global float *out, int step,
                  int inputs, int hidden) {
  int g = get_global_id(0);
  if (g < 4 * hidden) {
    float sum = b[g];
    for (int i = 0; i < inputs; i++)
      sum += w[g * inputs + i] * x[step * inputs + i];
    for (int i = 0; i < hidden; i++)
      sum += u[g * hidden + i] * h[i];
    out[g] = sum;
  }
}

float sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }

kernel void cell(global const float *gate, global float *c, global float *h,
                 int hidden) {
  int i = get_global_id(0);
  if (i < hidden) {
    float in = sigmoid(gate[i]), forget = sigmoid(gate[hidden + i]);
    float new = tanh(gate[2 * hidden + i]), out = sigmoid(gate[3 * hidden + i]);
    c[i] = forget * c[i] + in * new;
    h[i] = out * tanh(c[i]);
  }
}
