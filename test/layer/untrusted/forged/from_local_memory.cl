// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in local memory, which has a shadow for pointers.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *volatile local cells[4];
  cells[1] = data;
  ((volatile local ulong *)cells)[1] = guess ? guess : (ulong)data;
  barrier(CLK_LOCAL_MEM_FENCE);
  global ulong *p = cells[1];
  out[0] = p[0];
  p[1] = 7;
}
