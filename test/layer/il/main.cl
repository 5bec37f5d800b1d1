// A kernel that calls into another module.
int from_library(int x);
int from_second_library(int x);

kernel void call(global int *out) {
  int i = get_global_id(0);
  out[i] = from_library(i) + from_second_library(i);
}
kernel void alone(global int *out) { out[get_global_id(0)] = 3; }
