// launch: flip 32x16
// arg: image 32 16
// arg: image 32 16
// arg: sampler
// launch: fixed_sampler 32x16
// arg: image 32 16
// arg: zeros 8192
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void flip(read_only image2d_t in, write_only image2d_t out,
                 sampler_t s) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(in);
  write_imagef(out, p, read_imagef(in, s, size - 1 - p));
}
kernel void fixed_sampler(read_only image2d_t in, global float4 *out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  out[p.y * get_image_width(in) + p.x] = read_imagef(in, nearest, p + 1);
}
