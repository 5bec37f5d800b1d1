// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// options: -cl-std=CL3.0
// A generic pointer of an integer.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong *p = (ulong *)(guess ? guess : (ulong)(ulong *)data);
  out[0] = p[0];
  p[1] = 7;
}
