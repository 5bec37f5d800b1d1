// launch: by_value 64
// arg: zeros 4096
// arg: bytes 0100000002000000000080bf000000400300000004000000
// arg: bytes 000000000000803f0000004000004040
// arg: bytes 0102030a
// arg: long -5
// arg: float 2.5
typedef struct {
  int2 pair;
  float f[2];
  struct {
    short a, b;
    int c;
  } inner;
} Mixed;
float pick(Mixed m, int i) { return m.f[i & 1] + m.inner.c + m.pair.y; }
kernel void by_value(global float *out, Mixed m, float4 v, uchar4 u, long n,
                     float s) {
  int i = get_global_id(0);
  Mixed copy = m;
  copy.f[i & 1] *= s;
  copy.inner.a += i;
  float w[4] = {v.x, v.y, v.z, v.w};
  out[4 * i] = pick(copy, i) + w[i & 3];
  out[4 * i + 1] = copy.inner.a + n;
  out[4 * i + 2] = u.z + u.s3 * i;
  out[4 * i + 3] = dot(v, (float4)(i, 1, 2, 3));
}
