// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a pointer that is ours, as far as the other memory is away.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  long far = guess ? (long)(guess - (ulong)data) / 8 : 0;
  out[0] = data[far];
  data[far + 1] = 7;
}
