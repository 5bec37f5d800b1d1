// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before and behind a buffer, where the driver keeps its own.
// guess: 65536
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong seen = 0;
  for (long i = guess ? -(long)guess : 0; i < (long)(guess ? guess : 64);
       i += 1)
    if (i < 0 || i >= 64)
      seen |= data[i];
  out[0] = guess ? 0 : data[0];
  out[1] = seen;
}
