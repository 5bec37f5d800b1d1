// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in private memory.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *volatile cells[4];
  cells[1] = data;
  ((volatile private ulong *)cells)[1] = guess ? guess : (ulong)data;
  global ulong *p = cells[1];
  out[0] = p[0];
  p[1] = 7;
}
