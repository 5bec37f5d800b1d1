// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several steps in one launch: a group loads a tile with a halo as wide as
// there are steps, and after each step one ring less is right.
#define BLOCK 16

kernel void hotspot(global const float *power, global const float *from,
                    global float *to, int w, int h, int steps, float cap,
                    float rx, float ry, float rz, float ambient) {
  local float temp[BLOCK][BLOCK], next[BLOCK][BLOCK], heat[BLOCK][BLOCK];
  int tx = get_local_id(0), ty = get_local_id(1);
  int inner = BLOCK - 2 * steps;
  int x = (int)get_group_id(0) * inner - steps + tx;
  int y = (int)get_group_id(1) * inner - steps + ty;
  bool inside = x >= 0 && x < w && y >= 0 && y < h;
  if (inside) {
    temp[ty][tx] = from[y * w + x];
    heat[ty][tx] = power[y * w + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Neighbors; at the edge of the chip the cell itself.
  int west = x > 0 ? tx - 1 : tx, east = x < w - 1 ? tx + 1 : tx;
  int north = y > 0 ? ty - 1 : ty, south = y < h - 1 ? ty + 1 : ty;
  bool right = false;
  for (int i = 0; i < steps; i++) {
    right = inside && tx >= i + 1 && tx <= BLOCK - i - 2 && ty >= i + 1 &&
            ty <= BLOCK - i - 2;
    if (right)
      next[ty][tx] =
          temp[ty][tx] +
          cap *
              (heat[ty][tx] +
               (temp[south][tx] + temp[north][tx] - 2.0f * temp[ty][tx]) * ry +
               (temp[ty][east] + temp[ty][west] - 2.0f * temp[ty][tx]) * rx +
               (ambient - temp[ty][tx]) * rz);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (right)
      temp[ty][tx] = next[ty][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (right)
    to[y * w + x] = temp[ty][tx];
}
