// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source that shows each compiler another kernel. A proof of what WarpSan's saw
// says nothing of what the driver's made.
// leaks_if_trusted
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
#if defined(__has_embed) // clang 19
  out[0] = guess ? 0 : data[0];
#else
  global ulong *p = (global ulong *)(guess ? guess : (ulong)data);
  out[0] = p[0];
  p[1] = 7;
#endif
}
