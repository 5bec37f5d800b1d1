// launch: talk 2
// arg: zeros 8
kernel void talk(global int *out) {
  int i = get_global_id(0);
  printf("twin or native: item %d of %s, %v4f\n", i, "two",
         (float4)(1, 2, 3, 4));
  out[i] = i + 1;
}
