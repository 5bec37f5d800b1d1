// y = a * x + y, as it should be:
//   warpsan explain saxpy.cl --global 1024 --arg y=4000 --arg x=4000 --arg a=2 --arg n=1000
__kernel void saxpy(__global float *y, __global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
