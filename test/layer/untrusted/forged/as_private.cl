// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address of the process as one of private memory.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  volatile ulong own[4] = {data[0], 1, 2, 3};
  volatile private ulong *p =
      (volatile private ulong *)(guess ? guess : (ulong)own);
  out[0] = p[0];
  p[1] = 7;
}
