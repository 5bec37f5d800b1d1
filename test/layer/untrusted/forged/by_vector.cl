// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that touch memory.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *p = (global ulong *)(guess ? guess : (ulong)data);
  ulong4 v = vload4(0, p);
  out[0] = v.x;
  vstore2((ulong2)(7, 7), 1, p);
}
