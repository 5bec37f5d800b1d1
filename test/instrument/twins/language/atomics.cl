// launch: histogram 4096 64
// arg: ints 4096 32
// arg: zeros 128
// arg: local 128
// launch: extremes 4096 64
// arg: ints 4096 1000000
// arg: zeros 32
kernel void histogram(global const int *in, global uint *bins,
                      local uint *mine) {
  int l = get_local_id(0);
  if (l < 32)
    mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&mine[in[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32)
    atomic_add(&bins[l], mine[l]);
}
kernel void extremes(global const int *in, global int *out) {
  int v = in[get_global_id(0)];
  atomic_max(&out[0], v);
  atomic_min(&out[1], -v);
  atomic_or(&out[2], v);
  atomic_xor(&out[3], v);
  atomic_sub(&out[4], v);
  int seen = out[5];
  while (true) {
    int was = atomic_cmpxchg(&out[5], seen, max(seen, v));
    if (was == seen)
      break;
    seen = was;
  }
}
