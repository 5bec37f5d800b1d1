// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A convolution as a layer of a network has it, with stride, padding, bias and
// rectifier. Order: channel, row, column.

kernel void conv_layer(global const float *in, global const float *weights,
                       global const float *bias, global float *out,
                       int channels, int h, int w, int filters, int size,
                       int stride, int pad, int out_h, int out_w) {
  int x = get_global_id(0), y = get_global_id(1), f = get_global_id(2);
  if (x >= out_w || y >= out_h || f >= filters)
    return;
  float sum = bias[f];
  for (int c = 0; c < channels; c++)
    for (int ky = 0; ky < size; ky++) {
      int iy = y * stride - pad + ky;
      if (iy < 0 || iy >= h)
        continue;
      for (int kx = 0; kx < size; kx++) {
        int ix = x * stride - pad + kx;
        if (ix >= 0 && ix < w)
          sum += in[(c * h + iy) * w + ix] *
                 weights[((f * channels + c) * size + ky) * size + kx];
      }
    }
  out[(f * out_h + y) * out_w + x] = fmax(sum, 0.0f);
}
