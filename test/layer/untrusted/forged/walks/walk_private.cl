// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same around private memory: the stack, its return addresses and the
// hidden arguments. The honest one stays inside.
// guess: 512
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  volatile ulong own[16];
  for (int i = 0; i < 16; i += 1)
    own[i] = data[0];
  ulong seen = 0;
  for (long i = guess ? -(long)guess : 0; i < (long)(guess ? guess : 16);
       i += 1)
    if (i < 0 || i >= 16)
      seen |= own[i];
  out[0] = guess ? 0 : own[data[20] & 15];
  out[1] = seen;
}
