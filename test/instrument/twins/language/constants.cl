// launch: lookup 256
// arg: zeros 1024
// arg: floats 16
constant float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
constant struct {
  int a;
  char name[5];
} facts = {7, "abcd"};
float weight(int i) {
  const float mine[3] = {0.5f, 0.25f, 0.125f};
  return weights[i & 7] * mine[i % 3];
}
kernel void lookup(global float *out, constant float *c) {
  int i = get_global_id(0);
  switch (i % 5) {
  case 0: out[i] = weight(i); break;
  case 1: out[i] = c[i & 15]; break;
  case 2: out[i] = facts.a; break;
  case 3: out[i] = facts.name[i & 3]; break;
  default: out[i] = -1;
  }
}
