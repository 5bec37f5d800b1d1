kernel void vector_add(global const float *a, global const float *b,
                       global float *c, float scale) {
  size_t i = get_global_id(0);
  c[i] = (a[i] + b[i]) * scale;
}
kernel void block_sums(global const int *in, global int *out, local int *tile) {
  size_t l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t width = get_local_size(0) / 2; width; width /= 2) {
    if (l < width)
      tile[l] += tile[l + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = tile[0];
}
