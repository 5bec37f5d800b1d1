// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer made of two pointers belongs to neither.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong mixed = (ulong)out ^ (ulong)data;
  ulong wanted = guess ? guess : (ulong)data;
  global ulong *p = (global ulong *)(mixed ^ (ulong)out ^ (ulong)data ^ wanted);
  out[0] = p[0];
  p[1] = 7;
}
