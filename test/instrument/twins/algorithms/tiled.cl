// options: -DT=16
// launch: tiled 96x96 16x16
// arg: floats 9216
// arg: floats 9216
// arg: zeros 36864
// arg: int 96
// tolerance: rusticl 1e-5
kernel __attribute__((reqd_work_group_size(T, T, 1)))
void tiled(global const float *A, global const float *B, global float *C,
           int n) {
  local float a[T][T], b[T][T];
  int x = get_local_id(0), y = get_local_id(1);
  int col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n / T; t++) {
    a[y][x] = A[row * n + t * T + x];
    b[y][x] = B[(t * T + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < T; k++)
      sum += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + col] = sum;
}
