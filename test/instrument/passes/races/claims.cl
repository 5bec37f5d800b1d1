// What a launch needs to prove that no two accesses race: of each access its memory, what it does (1: in local memory, 2: writes,
// 4 and 8: atomic to its work-group and to others, 16: a constant) and the ways that lead to it from a barrier.
// RUN: %clc --device pocl --variant lean-races --manifest - %s -- -cl-std=CL3.0 | \
// RUN:   %python -c "import json, sys; [print(k['name'], k['races'].get('why_not', ''), k['races'].get('loops', ''), *(a[3:7] + a[9:] for a in k['races'].get('accesses', ())), sep=' | ') for k in json.load(sys.stdin)['kernels']]" | \
// RUN:   FileCheck %s

// From the start (0) to the store; from the barrier (1) to the load.
// CHECK: shared |  | {{\[\[\], \[\]\]}} | [4, {{-1, [0-9]+}}, 3, [0]] | [4, {{-1, [0-9]+}}, 1, [1]] | [4, 0, 0, 2, [0]]
kernel void shared(global int *out) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l];
}

// A barrier that orders other memory is none.
// CHECK: other |  | {{.*}} | [4, {{-1, [0-9]+}}, 3, [0]] | [4, {{-1, [0-9]+}}, 1, [0]] | [4, 0, 0, 2, [1]]
kernel void other(global int *out) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l];
}

// The store before the barrier of a loop: in its first iteration (3) from the start, in the next one (2) from the barrier. The
// load behind it, in the same one (1). Behind the loop, what is loaded is of the last iteration.
// CHECK: looped |  | {{\[\[0\], \[\]\]}} | [4, 1, 0, 3, [0, 3], [1, 2]] | [4, 1, 0, 1, [1, 1]] | [4, 1, 0, 1, [1, 1]] | [4, 0, 0, 2, [0]]
kernel void looped(global int *out, local int *t, int n) {
  int l = get_local_id(0), sum = 0, k = 0;
  do {
    t[l] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[63 - l];
  } while (++k < n);
  sum += t[l + k];
  out[get_global_id(0)] = sum;
}

// CHECK: atomics |  | {{.*}} | [4, 0, 0, 14, [0]] | [4, 0, 0, 6, [0]]
kernel void atomics(global int *a) {
  atomic_add(a, 1);
  atomic_fetch_add_explicit((volatile global atomic_int *)a, 1, memory_order_relaxed, memory_scope_work_group);
}

// CHECK: same_value |  | {{.*}} | [4, 0, 0, 18, [0]]
kernel void same_value(global int *a) { a[0] = 1; }

// Either of two arguments.
// CHECK: either |  | {{.*}} | [4, 0, 0, 2, [0]] | [4, 1, 0, 2, [0]]
kernel void either(global int *a, global int *b, int n) { (n ? a : b)[get_global_id(0)] = n; }

// CHECK: from_memory | a pointer comes from memory or is not known |
kernel void from_memory(global ulong *a) { *(global int *)a[get_global_id(0)] = get_global_id(0); }

// CHECK: copied | it copies asynchronously |
kernel void copied(global int *a, local int *t) { wait_group_events(1, (event_t[]){async_work_group_copy(t, a, 64, 0)}); }

// CHECK: images | it accesses images |
kernel void images(write_only image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0)); }

// CHECK: counted | how many bytes an access touches depends on a value |
kernel void counted(global char *a, int n) { __builtin_memset(a, 0, n); }
