// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address of the process as one of constant memory.
constant ulong own[2] = {0x5345435245543432, 1};
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  constant ulong *p = (constant ulong *)(guess ? guess : (ulong)own);
  out[0] = p[0];
}
