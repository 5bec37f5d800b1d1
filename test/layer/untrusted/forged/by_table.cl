// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of pointers is constant, the index into it is a number.
// may_be_refused
// leaks_if_trusted
constant ulong first[2] = {0x5345435245543432, 1};
constant ulong second[2] = {0x5345435245543432, 2};
constant ulong *constant table[2] = {first, second};
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  long far = guess ? (long)(guess - (ulong)first) / 8 : 0;
  constant ulong *p = table[data[20] & 1];
  out[0] = p[far];
}
