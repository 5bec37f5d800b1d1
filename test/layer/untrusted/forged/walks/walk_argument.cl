// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same from an argument that is a struct: behind it are our hidden ones.
// guess: 64
struct four {
  ulong at[4];
};
kernel void attack(global ulong *out, global ulong *data, ulong guess,
                   struct four given) {
  volatile private ulong *own = given.at;
  ulong seen = 0;
  for (long i = guess ? -(long)guess : 0; i < (long)(guess ? guess : 4); i += 1)
    if (i < 0 || i >= 4)
      seen |= own[i];
  out[0] = guess ? 0 : own[data[20] & 3];
  out[1] = seen;
}
