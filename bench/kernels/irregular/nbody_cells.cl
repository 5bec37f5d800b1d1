// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Forces between bodies of neighboring cells. The bodies are sorted by cell;
// starts[c] is the first of cell c.

kernel void forces(global const float4 *bodies, global float4 *out,
                   global const int *starts, int cells, float cell_size,
                   float cutoff, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  float4 here = bodies[i];
  int3 cell =
      clamp(convert_int3(here.xyz / cell_size), (int3)(0), (int3)(cells - 1));
  float3 force = (float3)(0);
  for (int z = max(cell.z - 1, 0); z <= min(cell.z + 1, cells - 1); z++)
    for (int y = max(cell.y - 1, 0); y <= min(cell.y + 1, cells - 1); y++)
      for (int x = max(cell.x - 1, 0); x <= min(cell.x + 1, cells - 1); x++) {
        int c = (z * cells + y) * cells + x;
        for (int j = starts[c]; j < starts[c + 1]; j++) {
          float3 d = bodies[j].xyz - here.xyz;
          float r2 = dot(d, d);
          if (j != i && r2 < cutoff * cutoff) {
            float inverse = rsqrt(r2 + 0.01f);
            force += bodies[j].w * d * inverse * inverse * inverse;
          }
        }
      }
  out[i] = (float4)(force, 0);
}
