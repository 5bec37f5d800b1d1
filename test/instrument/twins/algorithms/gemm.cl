// launch: gemm 96x96 16x4
// arg: floats 9216
// arg: floats 9216
// arg: zeros 36864
// arg: int 96
// tolerance: rusticl 1e-5
kernel void gemm(global const float *A, global const float *B, global float *C,
                 int n) {
  int col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}
