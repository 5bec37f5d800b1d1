// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one step of decoding needs, for weights in float and in int8. Weights of
// all layers are in one buffer; `at` is where this layer's begin.

kernel void embed(global const float *table, global float *x, int token,
                  int dim) {
  int i = get_global_id(0);
  if (i < dim)
    x[i] = table[token * dim + i];
}

// One group.
kernel void rms_norm(global float *out, global const float *x,
                     global const float *weight, int at, int n,
                     local float *scratch) {
  int l = get_local_id(0), size = get_local_size(0);
  float sum = 0;
  for (int i = l; i < n; i += size)
    sum += x[i] * x[i];
  scratch[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s)
      scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = 1.0f / sqrt(scratch[0] / n + 1e-5f);
  for (int i = l; i < n; i += size)
    out[i] = weight[at + i] * (scale * x[i]);
}

kernel void matmul(global float *out, int out_at, global const float *x,
                   global const float *w, int at, int n, int d) {
  int row = get_global_id(0);
  if (row < d) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += w[at + row * n + i] * x[i];
    out[out_at + row] = sum;
  }
}

// A work-item takes a group of `group` values that share a scale.
kernel void quantize(global const float *x, global char *q,
                     global float *scales, int n, int group) {
  int g = get_global_id(0);
  if (g < n / group) {
    float largest = 0;
    for (int i = 0; i < group; i++)
      largest = fmax(largest, fabs(x[g * group + i]));
    float scale = largest / 127.0f;
    scales[g] = scale;
    for (int i = 0; i < group; i++)
      q[g * group + i] = scale > 0 ? (char)rint(x[g * group + i] / scale) : 0;
  }
}

kernel void matmul_int8(global float *out, int out_at, global const char *xq,
                        global const float *xs, global const char *wq,
                        global const float *ws, int at, int n, int d,
                        int group) {
  int row = get_global_id(0);
  if (row < d) {
    float sum = 0;
    int first = at + row * n;
    for (int j = 0; j <= n - group; j += group) {
      int part = 0;
      for (int k = 0; k < group; k++)
        part += (int)xq[j + k] * (int)wq[first + j + k];
      sum += (float)part * ws[(first + j) / group] * xs[j / group];
    }
    out[out_at + row] = sum;
  }
}

// Turns pairs of q, and of k where there are as many, by an angle that depends
// on the position.
kernel void rope(global float *q, global float *k, int k_at, int position,
                 int head_size, int dim, int kv_dim) {
  int i = get_global_id(0) * 2;
  if (i >= dim)
    return;
  float frequency = 1.0f / pow(10000.0f, (i % head_size) / (float)head_size);
  float angle = position * frequency;
  float c = cos(angle), s = sin(angle);
  float q0 = q[i], q1 = q[i + 1];
  q[i] = q0 * c - q1 * s;
  q[i + 1] = q0 * s + q1 * c;
  if (i < kv_dim) {
    global float *at = k + k_at;
    float k0 = at[i], k1 = at[i + 1];
    at[i] = k0 * c - k1 * s;
    at[i + 1] = k0 * s + k1 * c;
  }
}

// A group takes a head; several heads share keys and values. The scores of all
// positions are in local memory.
kernel void attend(global const float *q, global const float *keys,
                   global const float *values, global float *out, int keys_at,
                   int values_at, int position, int head_size, int kv_dim,
                   int sharing, local float *score, local float *scratch) {
  int head = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
  global const float *query = q + head * head_size;
  int shared = head / sharing * head_size;

  float largest = -INFINITY;
  for (int t = l; t <= position; t += size) {
    float sum = 0;
    for (int i = 0; i < head_size; i++)
      sum += query[i] * keys[keys_at + t * kv_dim + shared + i];
    score[t] = sum / sqrt((float)head_size);
    largest = fmax(largest, score[t]);
  }
  scratch[l] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s)
      scratch[l] = fmax(scratch[l], scratch[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int t = l; t <= position; t += size) {
    score[t] = exp(score[t] - largest);
    sum += score[t];
  }
  scratch[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s)
      scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float total = scratch[0];
  for (int i = l; i < head_size; i += size) {
    float mixed = 0;
    for (int t = 0; t <= position; t++)
      mixed += score[t] / total * values[values_at + t * kv_dim + shared + i];
    out[head * head_size + i] = mixed;
  }
}

kernel void add(global float *x, global const float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] += y[i];
}

kernel void swiglu(global float *a, global const float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = a[i] / (1.0f + exp(-a[i])) * b[i];
}

// One group.
kernel void largest(global const float *logits, int n, global int *token,
                    local float *best, local int *at) {
  int l = get_local_id(0), size = get_local_size(0);
  best[l] = -INFINITY;
  at[l] = 0;
  for (int i = l; i < n; i += size)
    if (logits[i] > best[l]) {
      best[l] = logits[i];
      at[l] = i;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s /= 2) {
    if (l < s && best[l + s] > best[l]) {
      best[l] = best[l + s];
      at[l] = at[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    *token = at[0];
}
