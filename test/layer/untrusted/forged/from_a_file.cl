// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of the machine in the program. Drivers of clang 18 do not know #embed,
// newer ones read what it names; WarpSan's compiler must not.
// with_file
// leaks_if_trusted
// may_be_refused
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
#if defined(__has_embed)
#if __has_embed(SECRET_FILE)
  const uchar bytes[] = {
#embed SECRET_FILE
  };
  ulong word = 0;
  for (int i = 0; i < 8; i += 1)
    word |= (ulong)bytes[i] << 8 * i;
  out[0] = guess ? word : data[0];
#else
  out[0] = guess ? 0 : data[0];
#endif
#else
  out[0] = guess ? 0 : data[0];
#endif
}
