// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of what is at an address: a kernel that is launched natively jumps
// there, so it must not be.
// must_be_refused
// only_untrusted
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  out[0] = data[0];
  if (guess)
    ((void (*)(void))guess)();
}
