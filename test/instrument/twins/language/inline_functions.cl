// launch: outer 64
// arg: zeros 512
// launch: inner 64
// arg: zeros 512
// arg: int 3
inline int plain(int x) { return x + 1; }
static inline int hidden(int x) { return x * 2; }
__attribute__((always_inline)) int forced(int x) { return plain(x) - hidden(x); }
kernel void inner(global int *out, int k) {
  out[2 * get_global_id(0)] = plain(k) + hidden(get_global_id(0));
}
kernel void outer(global int *out) {
  inner(out, 5);
  out[2 * get_global_id(0) + 1] = forced(get_global_id(0));
}
