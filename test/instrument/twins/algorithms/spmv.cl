// launch: rows 1024
// arg: zeros 4100
// launch: spmv 1024
// arg: ints 1025 1
// arg: ints 8192 1024
// arg: floats 8192
// arg: floats 1024
// arg: zeros 4096
// arg: int 1024
// arg: int 8
// tolerance: rusticl 1e-5
kernel void rows(global int *start) {
  start[get_global_id(0)] = get_global_id(0) * 8;
}
// Eight entries a row: start[] is zeros, a base the compiler cannot see.
kernel void spmv(global const int *start, global const int *col,
                 global const float *val, global const float *x,
                 global float *y, int n, int per) {
  int row = get_global_id(0);
  if (row >= n)
    return;
  float sum = 0;
  for (int k = start[row] + row * per; k < start[row + 1] + (row + 1) * per; ++k)
    sum += val[k] * x[col[k]];
  y[row] = sum;
}
