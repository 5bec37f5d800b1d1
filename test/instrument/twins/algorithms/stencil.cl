// launch: stencil 128x128 16x4
// arg: floats 16384
// arg: zeros 65536
// arg: int 128
// arg: int 128
// tolerance: rusticl 1e-5
kernel void stencil(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = 0.5f * in[y * w + x] +
                     0.125f * (in[(y - 1) * w + x] + in[(y + 1) * w + x] +
                               in[y * w + x - 1] + in[y * w + x + 1]);
}
