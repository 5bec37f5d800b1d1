// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address of the process as one of local memory.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  local ulong own[4];
  own[0] = data[0];
  local ulong *p = (local ulong *)(guess ? guess : (ulong)own);
  out[0] = p[0];
  p[1] = 7;
}
