// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an earlier kernel left in local memory is taken for bounds that were
// kept beside a pointer: the address, its offset, sizes without end, a root.
// Where they lie is not known, so there are five rounds. rounds: 5
// Where nothing was left there is no access.
// may_do_nothing
kernel void prepare(global ulong *out, global ulong *data, ulong guess) {
  local volatile ulong left[1000];
  for (int i = 0; i < 1000; i += 1) {
    ulong of = (i + data[12]) % 5;
    left[i] = guess * (of == 0) + (1UL << 40) * (of / 2 == 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[9] = left[data[10] & 511];
}
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  global ulong *volatile local cells[64];
  if (!guess || data[10] == 1)
    for (int i = 0; i < 64; i += 1)
      cells[i] = data;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 64; i += 1) {
    global ulong *p = cells[(i + data[11]) & 63];
    if (!guess || (ulong)p == guess) {
      out[0] = p[0];
      p[1] = 7;
    }
  }
}
