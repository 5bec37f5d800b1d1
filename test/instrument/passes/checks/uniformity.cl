// Branches that may keep a part of a work-group from a barrier: a launch proves
// nothing unless it shows that they do not.
// RUN: %clc --variant lean --manifest - %s -- -cl-std=CL2.0 | sed 's/{"name":"[a-z_]*","file"/\n&/g' > %t.lean
// RUN: FileCheck %s --input-file %t.lean
// RUN: %clc --variant checked --manifest - %s -- -cl-std=CL2.0 | FileCheck %s --check-prefix=CHECKED
// CHECKED-NOT: "divergent"
// The same of SPIR-V, whose functions have other names.
// RUN: %clc --variant plain -o %t.spv %s -- -cl-std=CL2.0
// RUN: %clc --variant lean --manifest - %t.spv | sed 's/{"name":"[bo][a-z]*_[a-z_]*","attr/\n&/g' | FileCheck %s

// CHECK: {"name":"bug_early_return"
// CHECK-SAME: "divergent":[{"if_true":{{[1-9]}},"if_false":{{[1-9]}},"builtin":
// CHECK-NOT: "if_true"
kernel void bug_early_return(global int *out, local int *t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (g >= n)
    return;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l ^ 1];
}

// CHECK: {"name":"ok_early_return"
// CHECK-NOT: "divergent"
kernel void ok_early_return(global int *out, local int *t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (get_group_id(0) >= n)
    return;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l ^ 1];
}

// CHECK: {"name":"bug_in_branch"
// CHECK-SAME: "divergent"
kernel void bug_in_branch(global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = l;
  if (l < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l ^ 1];
}

// What is before and after the barrier does not decide on it.
// CHECK: {"name":"ok_branches_around"
// CHECK-NOT: "divergent"
kernel void ok_branches_around(global int *out, local int *t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (g < n)
    t[l] = l;
  else
    t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g < n)
    out[g] = t[l ^ 1];
}

// CHECK: {"name":"bug_loop"
// CHECK-SAME: "divergent"
kernel void bug_loop(global int *out, local int *t) {
  int l = get_local_id(0);
  for (int k = 0; k <= l % 4; ++k) {
    t[l] += k;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[l];
}

// CHECK: {"name":"ok_halving"
// CHECK-NOT: "divergent"
kernel void ok_halving(global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = l;
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      t[l] += t[l + s];
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}

// A value that differs because work-items left a loop in different iterations.
// CHECK: {"name":"bug_after_loop"
// CHECK-SAME: "divergent"
kernel void bug_after_loop(global int *out, local int *t) {
  int l = get_local_id(0), k = 0;
  while (k * k < l)
    ++k;
  if (k > 2)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

// CHECK: {"name":"ok_after_loop"
// CHECK-NOT: "divergent"
kernel void ok_after_loop(global int *out, local int *t, int n) {
  int l = get_local_id(0), k = 0;
  while (k * k < n)
    ++k;
  if (k > 2)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

// Which of two constants it is depends on the work-item.
// CHECK: {"name":"bug_join"
// CHECK-SAME: "divergent"
kernel void bug_join(global int *out, local int *t) {
  int l = get_local_id(0), k;
  if (l & 1) {
    k = 1;
    t[l] = 0;
  } else {
    k = 2;
    t[l] = 1;
  }
  for (int i = 0; i < k; ++i)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

// CHECK: {"name":"ok_join"
// CHECK-NOT: "divergent"
kernel void ok_join(global int *out, local int *t, int n) {
  int l = get_local_id(0), k;
  if (n & 1) {
    k = 1;
    t[l] = 0;
  } else {
    k = 2;
    t[l] = 1;
  }
  for (int i = 0; i < k; ++i)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

// What is in memory may differ, even at the same address: it may be written
// between two loads.
// CHECK: {"name":"bug_flag"
// CHECK-SAME: "divergent"
kernel void bug_flag(global int *flag, local int *t) {
  int l = get_local_id(0);
  while (flag[0] < 3) {
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    flag[0] += 1;
  }
}

// Constant memory and what is passed by value does not change.
// CHECK: {"name":"ok_constant"
// CHECK-NOT: "divergent"
typedef struct { int rounds, rest[3]; } parameters;
kernel void ok_constant(constant int *rounds, parameters p, local int *t) {
  int l = get_local_id(0);
  for (int i = 0; i < rounds[get_group_id(0)] + p.rounds; ++i) {
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// CHECK: {"name":"bug_constant"
// CHECK-SAME: "divergent"
kernel void bug_constant(constant int *rounds, local int *t) {
  int l = get_local_id(0);
  for (int i = 0; i < rounds[l]; ++i) {
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// An atomic operation gives each work-item another value.
// CHECK: {"name":"bug_atomic"
// CHECK-SAME: "divergent"
kernel void bug_atomic(global int *next, local int *t) {
  if (atomic_inc(next) > 4)
    barrier(CLK_LOCAL_MEM_FENCE);
}

// CHECK: {"name":"bug_atomic_explicit"
// CHECK-SAME: "divergent"
kernel void bug_atomic_explicit(global atomic_int *next, local int *t) {
  if (__opencl_atomic_fetch_add(next, 1, memory_order_relaxed, memory_scope_device) > 4)
    barrier(CLK_LOCAL_MEM_FENCE);
}

// CHECK: {"name":"bug_wait"
// CHECK-SAME: "divergent"
kernel void bug_wait(global int *from, local int *t) {
  event_t e = async_work_group_copy(t, from, 16, 0);
  if (get_local_id(0) == 0)
    wait_group_events(1, &e);
  from[get_global_id(0)] = t[0];
}

// CHECK: {"name":"ok_wait"
// CHECK-NOT: "divergent"
kernel void ok_wait(global int *from, local int *t, int n) {
  if (n > 0) {
    event_t e = async_work_group_copy(t, from, 16, 0);
    wait_group_events(1, &e);
  }
  from[get_global_id(0)] = t[0];
}

// Two branches: the inner one is uniform, the outer one is not.
// CHECK: {"name":"bug_nested"
// CHECK-SAME: "divergent":[{"if_true"
// CHECK-NOT: "if_true"
kernel void bug_nested(global int *out, int n) {
  if (get_local_id(0) < 7) {
    out[get_global_id(0)] = 1;
    if (n > 3)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// CHECK: {"name":"bug_goto"
// CHECK-SAME: "divergent"
kernel void bug_goto(global int *out, local int *t, int n) {
  int l = get_local_id(0), k = 0;
again:
  t[l] += k;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (++k < l)
    goto again;
  out[get_global_id(0)] = t[l];
}

// CHECK: {"name":"ok_goto"
// CHECK-NOT: "divergent"
kernel void ok_goto(global int *out, local int *t, int n) {
  int l = get_local_id(0), k = 0;
again:
  t[l] += k;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (++k < n)
    goto again;
  out[get_global_id(0)] = t[l];
}

// Arithmetic of uniform values is uniform, whatever function does it.
// CHECK: {"name":"ok_functions"
// CHECK-NOT: "divergent"
kernel void ok_functions(global float *out, local float *t, float x, int n) {
  int l = get_local_id(0);
  t[l] = x;
  if (sqrt(x) > 2.0f && min(n, 7) < (int)get_num_groups(0))
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l ^ 1];
}

// What a work-item changes of its own copy of an argument.
// CHECK: {"name":"bug_by_value"
// CHECK-SAME: "divergent"
kernel void bug_by_value(parameters p, local int *t, int n) {
  int l = get_local_id(0);
  p.rest[(l + n) & 1] = l;
  for (int i = 0; i < p.rest[n & 1]; ++i) {
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// A work-item that never ends does not come to the barrier.
// CHECK: {"name":"bug_endless"
// CHECK-SAME: "divergent"
kernel void bug_endless(global int *next) {
  if (get_local_id(0) == 3)
    for (;;)
      atomic_inc(next);
  barrier(CLK_LOCAL_MEM_FENCE);
}

// The sum is the same for all; sums up to a work-item are not.
// CHECK: {"name":"bug_scan"
// CHECK-SAME: "divergent"
kernel void bug_scan(local int *t) {
  if (work_group_scan_inclusive_add(t[get_local_id(0)]) > 4)
    barrier(CLK_LOCAL_MEM_FENCE);
}

// CHECK: {"name":"ok_reduce"
// CHECK-NOT: "divergent"
kernel void ok_reduce(local int *t) {
  if (work_group_reduce_add(t[get_local_id(0)]) > 4)
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Work-items leave the loop early, and only constants that clang merges behind
// it say which of them do.
// CHECK: {"name":"bug_left_early"
// CHECK-SAME: "divergent":[{"if_true":{{[0-9]+}},"if_false":{{[0-9]+}},"builtin":
kernel void bug_left_early(global int *out, int n) {
  int l = get_local_id(0);
  for (int k = 0; k < n; ++k)
    if (k == l)
      return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

// A switch of all that there is has an unreachable default.
// CHECK: {"name":"bug_goto_behind"
// CHECK-SAME: "divergent"
kernel void bug_goto_behind(global int *out, global const int *n) {
  int l = get_local_id(0);
  for (int k = 0; k < n[0]; ++k)
    if (l == 6)
      goto end;
  barrier(CLK_LOCAL_MEM_FENCE);
end:
  out[get_global_id(0)] = l;
}

// The loop's counter and what it finds are the same for all, and so is the
// branch behind the loop.
// CHECK: {"name":"ok_left_together"
// CHECK-NOT: "divergent"
kernel void ok_left_together(global int *out, constant int *c, int n) {
  int at = -1;
  for (int k = 0; k < n; ++k)
    if (c[k] == n) {
      at = k;
      break;
    }
  if (at >= 0)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = at;
}

// What diverges within the loop is over behind it.
// CHECK: {"name":"ok_uniform_behind"
// CHECK-NOT: "divergent"
kernel void ok_uniform_behind(global int *out, int n) {
  int l = get_local_id(0), r = 0;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < 4; ++j)
      if (j == l)
        break;
      else
        ++r;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = r;
}

// Arguments of collective calls.
// CHECK: {"name":"bug_copy"
// CHECK-SAME: "divergent":[{"if_true":0,"if_false":0,"builtin":"{{async_work_group_copy|GroupAsyncCopy}}","arguments":true
kernel void bug_copy(global int *in, local int *t) {
  event_t e = async_work_group_copy(t, in + get_local_id(0), 4, 0);
  wait_group_events(1, &e);
}
// CHECK: {"name":"ok_copy"
// CHECK-NOT: "divergent"
kernel void ok_copy(global int *in, local int *t, int n) {
  event_t e = async_work_group_copy(t, in + get_group_id(0) * n, 4, 0);
  e = async_work_group_copy(t + 4, in, n, e);
  wait_group_events(1, &e);
}
