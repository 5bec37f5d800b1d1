// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same around constant memory.
// guess: 4096
constant ulong own[4] = {0x5345435245543432, 1, 2, 3};
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong seen = 0;
  for (long i = guess ? -(long)guess : 0; i < (long)(guess ? guess : 4); i += 1)
    if (i < 0 || i >= 4)
      seen |= own[i];
  out[0] = guess ? 0 : own[data[20] & 3];
  out[1] = seen;
}
