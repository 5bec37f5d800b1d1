// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics; two halves of 32 bits.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global uint *p = (global uint *)(guess ? guess : (ulong)data);
  uint low = atomic_add(p, 0), high = atomic_or(p + 1, 0);
  out[0] = (ulong)high << 32 | low;
  atomic_xchg(p + 2, 7);
}
