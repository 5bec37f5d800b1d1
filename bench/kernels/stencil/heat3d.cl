// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define AT(x, y, z) (((z) * ny + (y)) * nx + (x))

kernel void heat3d(global const float *in, global float *out, int nx, int ny,
                   int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  float c = in[AT(x, y, z)];
  out[AT(x, y, z)] =
      0.125f * (in[AT(x + 1, y, z)] - 2.0f * c + in[AT(x - 1, y, z)]) +
      0.125f * (in[AT(x, y + 1, z)] - 2.0f * c + in[AT(x, y - 1, z)]) +
      0.125f * (in[AT(x, y, z + 1)] - 2.0f * c + in[AT(x, y, z - 1)]) + c;
}
