// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same by a union: no cast is to be seen.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  union {
    ulong number;
    global ulong *pointer;
  } u;
  u.number = guess ? guess : (ulong)data;
  out[0] = u.pointer[0];
  u.pointer[1] = 7;
}
