// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done in assembly nobody sees.
// must_be_refused
// leaks_if_trusted
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong at = guess ? guess : (ulong)data, got = 0;
  __asm__ volatile("mov (%1), %0" : "=r"(got) : "r"(at) : "memory");
  out[0] = got;
}
