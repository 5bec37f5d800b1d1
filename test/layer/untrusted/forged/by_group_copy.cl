// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy that the whole work-group makes.
kernel void attack(global ulong *out, global ulong *data, ulong guess) {
  local ulong to[4];
  to[0] = to[1] = 0;
  to[2] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  global ulong *p = (global ulong *)(guess ? guess : (ulong)data);
  event_t done = async_work_group_copy(to, p, 2, 0);
  wait_group_events(1, &done);
  out[0] = to[0];
  done = async_work_group_copy(p + 2, to + 2, 1, 0);
  wait_group_events(1, &done);
}
