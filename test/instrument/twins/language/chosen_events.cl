// Events that conditions choose: SPIR-V has no OpSelect of an event.
// launch: swapped 64 16
// arg: zeros 4096
// arg: ints 2048 2000000000
// arg: int 0
// launch: swapped 64 16
// arg: zeros 4096
// arg: ints 2048 2000000000
// arg: int 3
// launch: continued 64 16
// arg: zeros 4096
// arg: ints 2048 2000000000
// arg: int 1
kernel void swapped(global int *out, global const int *in, int n) {
  local int t[16], u[16];
  event_t e = async_work_group_copy(t, in, 16, 0);
  event_t f = async_work_group_copy(u, in + 16, 16, 0);
  event_t g = n ? e : f, h = n ? f : e;
  wait_group_events(1, &g);
  wait_group_events(1, &h);
  size_t i = get_global_id(0), l = get_local_id(0);
  out[i] = t[l] + u[15 - l];
}

kernel void continued(global int *out, global const int *in, int n) {
  local int t[16], u[16], v[16];
  event_t e = async_work_group_copy(t, in, 16, 0);
  event_t f = async_work_group_copy(u, in + 16, 16, 0);
  f = async_work_group_copy(v, in + 32, 16, n ? e : f);
  wait_group_events(1, &e);
  wait_group_events(1, &f);
  size_t i = get_global_id(0), l = get_local_id(0);
  out[i] = t[l] + v[15 - l];
}
