// All operations on integers of 24, 5 and 53 bits. PoCL's compiler takes _BitInt.
// needs: cl_pocl_svm_rect
// launch: of24 64
// arg: zeros 4096
// arg: ints 2048 2000000000
// launch: of5 64
// arg: zeros 4096
// arg: ints 2048 2000000000
// launch: of53 64
// arg: zeros 8192
// arg: ints 2048 2000000000
#define ALL(name, bits, type)                                                  \
  kernel void name(global type *out, global int *in) {                         \
    size_t i = get_global_id(0);                                               \
    type x = in[3 * i] * (type)0x51ed270b, y = in[3 * i + 1];                  \
    _BitInt(bits) a = x, b = y ^ -(type)(i & 1);                               \
    unsigned _BitInt(bits) c = x, d = y;                                       \
    int s = i % bits;                                                          \
    a = i & 2 ? -a : a;                                                        \
    type sum = a + b;                                                          \
    sum = 31 * sum + (a - b);                                                  \
    sum = 31 * sum + (a * b);                                                  \
    sum = 31 * sum + (b && b != -1 ? a / b : 7);                               \
    sum = 31 * sum + (b && b != -1 ? a % b : 7);                               \
    sum = 31 * sum + (a >> s);                                                 \
    sum = 31 * sum + (b << (s & 1));                                           \
    sum = 31 * sum + (a < b) + 2 * (a >= b);                                   \
    sum = 31 * sum + ((c + d) ^ (c - d));                                      \
    sum = 31 * sum + (c * d);                                                  \
    sum = 31 * sum + (d ? c / d + c % d : 7);                                  \
    sum = 31 * sum + (c >> s | c << (bits - 1 - s));                           \
    sum = 31 * sum + (c < d) + 2 * (c == (unsigned _BitInt(bits))a);           \
    sum = 31 * sum + (~c & d);                                                 \
    for (int k = 0; k < s; ++k)                                                \
      a = (a ^ b) + (_BitInt(bits))k;                                          \
    switch (c & 3) {                                                           \
    case 1:                                                                    \
      a += 3;                                                                  \
      break;                                                                   \
    case 2:                                                                    \
      a -= 100;                                                                \
      break;                                                                   \
    }                                                                          \
    out[i] = 31 * sum + a;                                                     \
  }
ALL(of24, 24, int)
ALL(of5, 5, int)
ALL(of53, 53, long)
