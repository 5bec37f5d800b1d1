// launch: helper_with_barrier 256 32
// arg: ints 256 100
// arg: zeros 1024
// arg: local 128
// arg: int 3
// launch: barrier_in_loop 256 32
// arg: ints 256 100
// arg: zeros 1024
// arg: int 5
__attribute__((noinline)) int neighbor(local int *s, int l, int v) {
  s[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  int r = s[(l + 1) & 31];
  barrier(CLK_LOCAL_MEM_FENCE);
  return r;
}
kernel void helper_with_barrier(global const int *in, global int *out,
                                local int *s, int rounds) {
  int i = get_global_id(0), v = in[i];
  for (int r = 0; r < rounds; ++r)
    v = neighbor(s, get_local_id(0), v) + r;
  out[i] = v;
}
kernel void barrier_in_loop(global const int *in, global int *out, int n) {
  local int s[2][32];
  int l = get_local_id(0), i = get_global_id(0);
  s[0][l] = in[i];
  for (int k = 0; k < n; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = s[k & 1][(l + k) & 31];
    if (v > 50)
      v -= 7;
    s[(k + 1) & 1][l] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = s[n & 1][l];
}
