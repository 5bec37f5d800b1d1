// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What %s points to is printed, and where it ends is not known before.
// may_be_refused
// leaks_if_trusted
constant char text[] = "24TERCES";
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  printf("%s\n", guess ? (constant char *)guess : text);
  out[0] = data[0];
}
