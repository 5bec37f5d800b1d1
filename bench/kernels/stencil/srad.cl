// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Speckle reducing anisotropic diffusion. Where a cell's neighbors are is read
// from tables, as the edges are their own neighbors.

kernel void sums(global const float *image, global float *partial,
                 global float *partial_squares, int count, local float *sum,
                 local float *squares) {
  int l = get_local_id(0);
  float s = 0, s2 = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    s += image[i];
    s2 += image[i] * image[i];
  }
  sum[l] = s;
  squares[l] = s2;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = get_local_size(0) / 2; width > 0; width >>= 1) {
    if (l < width) {
      sum[l] += sum[l + width];
      squares[l] += squares[l + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    partial[get_group_id(0)] = sum[0];
    partial_squares[get_group_id(0)] = squares[0];
  }
}

kernel void coefficients(global const float *image, global const int *north,
                         global const int *south, global const int *west,
                         global const int *east, global float *dn,
                         global float *ds, global float *dw, global float *de,
                         global float *c, float q0, int rows, int columns) {
  int at = get_global_id(0);
  if (at >= rows * columns)
    return;
  int row = at / columns, column = at % columns;
  float here = image[at];
  float n = image[north[row] * columns + column] - here;
  float s = image[south[row] * columns + column] - here;
  float w = image[row * columns + west[column]] - here;
  float e = image[row * columns + east[column]] - here;
  float g2 = (n * n + s * s + w * w + e * e) / (here * here);
  float l = (n + s + w + e) / here;
  float num = 0.5f * g2 - 0.0625f * l * l;
  float den = 1 + 0.25f * l;
  float q = num / (den * den);
  float k = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
  dn[at] = n;
  ds[at] = s;
  dw[at] = w;
  de[at] = e;
  c[at] = clamp(k, 0.0f, 1.0f);
}

kernel void diffuse(global float *image, global const int *south,
                    global const int *east, global const float *dn,
                    global const float *ds, global const float *dw,
                    global const float *de, global const float *c, float lambda,
                    int rows, int columns) {
  int at = get_global_id(0);
  if (at >= rows * columns)
    return;
  int row = at / columns, column = at % columns;
  float cn = c[at], cw = c[at];
  float cs = c[south[row] * columns + column];
  float ce = c[row * columns + east[column]];
  image[at] +=
      0.25f * lambda * (cn * dn[at] + cs * ds[at] + cw * dw[at] + ce * de[at]);
}
