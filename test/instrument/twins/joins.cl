// launch: one_of_two 64
// arg: zeros 256
// arg: ints 64 4
// arg: ints 64 2
// The loop's end is the end of the `if`, where q is one of two variables.
kernel void one_of_two(global int *out, global const int *at,
                       global const int *pick) {
  int i = get_global_id(0);
  int spare[4], x[4];
  for (int k = 0; k < 4; ++k)
    spare[k] = k + 9;
  private int *q = spare;
  if (pick[i]) {
    for (int k = 0; k < 4; ++k)
      x[k] = k + 1;
    q = x;
  }
  out[i] = q[at[i] & 3];
}
