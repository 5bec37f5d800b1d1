// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same around local memory.
// guess: 512
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  local volatile ulong own[16], other[16];
  own[data[20] & 15] = other[data[20] & 15] = data[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong seen = 0;
  for (long i = guess ? -(long)guess : 0; i < (long)(guess ? guess : 16);
       i += 1)
    if (i < 0 || i >= 16)
      seen |= own[i];
  out[0] = guess ? 0 : own[0];
  out[1] = seen;
}
