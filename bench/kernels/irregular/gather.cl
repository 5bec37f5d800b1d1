// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void gather(global const float *in, global const int *at,
                   global float *out) {
  int i = get_global_id(0);
  out[i] = in[at[i]];
}
