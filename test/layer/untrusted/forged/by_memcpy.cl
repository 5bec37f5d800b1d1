// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of bytes.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *p = (global ulong *)(guess ? guess : (ulong)data);
  struct four {
    ulong at[4];
  } some = *(global struct four *)p;
  out[0] = some.at[0];
  some.at[1] = 7;
  *(global struct four *)p = some;
}
