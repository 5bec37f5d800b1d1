// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with the names of ours.
// may_be_refused
ulong2 warpsan_find(global void *heap, ulong address) {
  return (ulong2)(address, 1UL << 60);
}
void warpsan_report(global void *buffer) {}
uint warpsan_outside(global void *heap, ulong pool, ulong from, ulong bytes) {
  return 0;
}
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  ulong2 found = warpsan_find(out, guess);
  if (found.y == 3)
    warpsan_report(out);
  global ulong *p = (global ulong *)(guess ? found.x : (ulong)data);
  out[0] = p[warpsan_outside(out, 0, 0, 0)];
  p[1] = 7;
}
