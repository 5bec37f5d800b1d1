// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the compiler's own things are on the stack.
// may_be_refused
// leaks_if_trusted
// guess: 64
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  volatile ulong *own = (volatile ulong *)__builtin_frame_address(0);
  ulong seen = 0;
  for (ulong i = 0; i < guess; i += 1)
    seen |= own[i];
  out[0] = guess ? 0 : data[0];
  out[1] = seen;
}
