// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that is stored in a buffer is loaded as a pointer.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  data[8] = guess ? guess : (ulong)data;
  global ulong *p = *(global ulong *volatile global *)&data[8];
  out[0] = p[0];
  p[1] = 7;
}
