// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer that somebody guessed is a pointer.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *p = (global ulong *)(guess ? guess : (ulong)data);
  out[0] = p[0];
  p[1] = 7;
}
