// Copies of structs of 3, 5, 6 and 7 bytes into larger integers, of which LLVM
// makes integers of widths that SPIR-V does not have.
// launch: halves 64
// arg: zeros 4096
// arg: ints 2048 2000000000
// launch: either 64
// arg: ints 2048 2000000000
// arg: int 1
// launch: either 64
// arg: ints 2048 2000000000
// arg: int 5
// launch: around 64
// arg: zeros 4096
// arg: ints 2048 2000000000
// arg: int 7
// launch: longs 64
// arg: zeros 8192
// arg: ints 2048 2000000000
// arg: int 3
typedef struct { uchar a, b, c; } three;
typedef struct { uchar of[5]; } five;
typedef struct { ushort a, b, c; } six;
typedef struct { char of[7]; } seven;
typedef union { uint all; three part; uchar of[4]; } word;
typedef union { ulong all; five f; six x; seven v; uchar of[8]; } quad;

kernel void halves(global three *out, global uint *in) {
  size_t i = get_global_id(0);
  word w;
  w.all = in[i];
  out[i] = w.part;
  w.of[3] = i;
  in[i] = w.all;
}
kernel void either(global uint *in, int n) {
  size_t i = get_global_id(0);
  word a, b, sum;
  a.all = in[i];
  b.all = in[i + 64];
  three chosen = n > 2 ? a.part : b.part;
  sum.all = 0xff000000;
  sum.part = chosen;
  in[i] = sum.all;
}
kernel void around(global three *out, global uint *in, int n) {
  size_t i = get_global_id(0);
  word last, next;
  last.all = in[i];
  next.all = in[i + 100];
  int k = 0;
  do {
    last.part = next.part;
    next.all = in[i + 100 + k];
  } while (++k < n);
  out[i] = last.part;
  in[i] = last.all;
}
kernel void longs(global ulong *out, global ulong *in, int n) {
  size_t i = get_global_id(0);
  quad a, b, c;
  a.all = in[i];
  b.all = in[i + 64];
  c.all = ~0UL;
  c.f = n > 2 ? a.f : b.f;
  out[8 * i] = c.all;
  c.x = n > 3 ? a.x : b.x;
  out[8 * i + 1] = c.all;
  c.v = n > 4 ? a.v : b.v;
  out[8 * i + 2] = c.all;
  *(global five *)(out + 8 * i + 3) = a.f;
  *(global six *)(out + 8 * i + 4) = b.x;
  *(global seven *)(out + 8 * i + 5) = c.v;
  a.x = *(global six *)(in + i + 128);
  out[8 * i + 6] = a.all;
}
