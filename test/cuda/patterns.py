# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors as CUDA programs have them: a last block without a bound, a halo that was
forgotten, shared memory that is too small, a list of items that is full."""

import struct

from model import Case, Expected, Launch, int32, ints, out_of_bounds, placed

ONE = ((1,), (1,))


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def memory(name, data, kind="device"):
    """An allocation that is the next argument."""
    return f"memory {name} {kind} {bytes(data).hex()}", f"pointer {name} 0"


def holds(name, data, offset=0):
    return (f"holds {name} {offset} {bytes(data).hex()}",)


def case(name, text, expected, bug, ok=None, range=ONE, form="linked"):
    """`bug`, `ok`: tuples of lines. `form`: a language, if it matters."""
    flat = [tuple(line for part in side for line in ((part,) if isinstance(part, str) else part))
            for side in (bug, ok or bug)]
    return Case(f"pattern_{name}", text, Launch(flat[0], range=range), Launch(flat[1], range=range), expected,
                family="patterns", forms=(form,))


def oob(word, bytes, size, offset, arg=None, name="", root="argument", memory="usm", items=1, id=None):
    if items == 1 and id is None:
        id = (0, 0, 0)
    return out_of_bounds(word, bytes, name, size, offset, global_id=id, items=items, root=root, arg=arg, memory=memory)


ID = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
N = 25                   # of 32 threads
WIDE = ((32,), (8,))


def bounds():
    """Who has no work, and who has one element too much."""
    counted, sums = ints(*range(32)), ints(*(2 * k for k in range(32)))
    add = f"__global__ void $K(const int *a, const int *b, int *c, int n) {{\n  {ID}\n  $line /*BUG*/\n}}\n"
    full = (memory("a", counted), memory("b", counted))
    yield case("guard_off_by_one", add.replace("$line", "if (i {{<=||<}} n) c[i] = a[i] + b[i];"),
               oob("write", 4, 4 * N, 4 * N, 2, id=(N, 0, 0)), (*full, memory("c", bytes(4 * N)), int32(N),
                                                                holds("c", sums[:4 * N])), range=WIDE)
    yield case("no_guard", add.replace("$line", "{{||if (i < n)}} c[i] = a[i] + b[i];"),
               oob("write", 4, 4 * (N + 6), 4 * (N + 6), 2, id=(31, 0, 0)),
               (*full, memory("c", bytes(4 * (N + 6))), int32(N)), range=WIDE)
    yield case("short_input", add.replace("$line", "if (i < n) c[i] = a[i] + b[i];"),
               oob("read", 4, 4 * (N - 1), 4 * (N - 1), 1, id=(N - 1, 0, 0)),
               (memory("a", counted), memory("b", counted[:4 * (N - 1)]), memory("c", bytes(128)), int32(N)),
               (*full, memory("c", bytes(128)), int32(N), holds("c", sums[:4 * N])), range=WIDE)
    # cudaMalloc(n) where n * sizeof(int) was meant.
    yield case("count_for_bytes", f"__global__ void $K(int *a, int n) {{\n  {ID}\n  if (i >= n) a[i] = i; /*BUG*/\n}}\n",
               oob("write", 4, 32, 4 * 31, 0, id=(31, 0, 0)), (memory("a", bytes(32)), int32(31)),
               (memory("a", bytes(128)), int32(31), holds("a", ints(31), 124)), range=WIDE)
    stride = ("__global__ void $K(const float *a, float *out, int n) {\n  float sum = 0;\n"
              f"  {ID}\n  for (; i {{{{<=||<}}}} n; i += gridDim.x * blockDim.x)\n    sum += a[i]; /*BUG*/\n"
              "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n}\n")
    yield case("grid_stride", stride, oob("read", 4, 4 * 72, 4 * 72, 0, id=(8, 0, 0)),
               (memory("a", floats(*[1] * 72)), memory("out", bytes(128)), int32(72),
                holds("out", floats(*[3] * 8, *[2] * 24))), range=WIDE)
    yield case("wrong_stride", "__global__ void $K(int *a, int n) {\n"
               f"  {ID}\n  if (i == n) a[i * {{{{gridDim||blockDim}}}}.x] = 5; /*BUG*/\n}}\n",
               oob("write", 4, 640, 640, 0, id=(10, 0, 0)), (memory("a", bytes(640)), int32(10)),
               (memory("a", bytes(640)), int32(10), holds("a", ints(5), 320)), range=((128,), (8,)))
    yield case("before_unsigned", "__global__ void $K(const int *a, int *out, unsigned n) {\n"
               "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = a[i - n]; /*BUG*/\n}\n",
               oob("read", 4, 64, 4 * (2**32 - 1), 0), (memory("a", ints(*range(16))), memory("out", bytes(64)), int32(1)),
               (memory("a", ints(*range(16))), memory("out", bytes(64)), int32(0), holds("out", ints(*range(16)))),
               range=((16,), (4,)))
    yield case("row_too_many", "__global__ void $K(float *a, int width, int height) {\n"
               "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "  if (x < width && y {{<=||<}} height && x + y >= {{12||11}}) a[y * width + x] = 1; /*BUG*/\n}\n",
               oob("write", 4, 160, 4 * 47, 0, id=(7, 5, 0)),
               (memory("a", bytes(160)), int32(8), int32(5)),
               (memory("a", bytes(160)), int32(8), int32(5), holds("a", floats(0, 1), 152)),
               range=((8, 8), (4, 4)))
    yield case("volume", "__global__ void $K(int *a, int n) {\n"
               "  int x = threadIdx.x, y = threadIdx.y + blockIdx.y * blockDim.y, z = blockIdx.z;\n"
               "  a[(z * n + y) * 4 + x] = z; /*BUG*/\n}\n", oob("write", 4, 4 * 47, 4 * 47, 0, id=(3, 3, 2)),
               (memory("a", bytes(188)), int32(4)),
               (memory("a", bytes(192)), int32(4), holds("a", ints(2), 188)), range=((4, 4, 3), (4, 2, 1)))


def shared():
    """Shared memory: halos, reductions, banks."""
    stencil = ("__global__ void $K(const int *a, int *out, int n) {\n  __shared__ int tile[{{8||10}}];\n"
               f"  {ID}\n  tile[threadIdx.x] = a[i];\n"
               "  if (threadIdx.x < 1) tile[blockDim.x] = 7; /*BUG*/\n  __syncthreads();\n  out[i] = tile[threadIdx.x];\n}\n")
    given = (memory("a", ints(*range(8))), memory("out", bytes(32)), int32(8), holds("out", ints(*range(8))))
    yield case("halo_static", stencil, oob("write", 4, 32, 32, name="tile", root="local", memory="none"), given,
               range=((8,), (8,)))
    reduce = ("__global__ void $K(const float *a, float *out, int from, DYNAMIC_SHARED(float, sums)) {\n"
              "  EXTERN_SHARED(float, sums);\n  int t = threadIdx.x;\n  sums[t] = a[t];\n  __syncthreads();\n"
              "  for (int s = from; s > 0; s >>= 1) {\n    float more = 0;\n    if (t < s)\n"
              "      more = sums[t + s]; /*BUG*/\n    __syncthreads();\n    sums[t] += more;\n    __syncthreads();\n  }\n"
              "  if (t == 0) out[0] = sums[0];\n}\n")
    sixteen = (memory("a", floats(*range(16))), memory("out", bytes(4)))
    yield case("reduction_from_block_size", reduce,
               Expected("out_of_bounds_read", "read", 4, "", 64, "past", None, items=16, root="argument", arg=3,
                        memory="local"),
               (*sixteen, int32(16), "local 64", holds("out", floats(120))),
               (*sixteen, int32(8), "local 64", holds("out", floats(120))), range=((16,), (16,)))
    yield case("reduction_too_small", reduce.replace("sums[t] = a[t];", "sums[t] = a[t]; /*BUG*/").replace(
        "sums[t + s]; /*BUG*/", "sums[t + s];").replace("s > 0", "s > 16"),
               oob("write", 4, 60, 60, 3, memory="local", id=(15, 0, 0)),
               (*sixteen, int32(8), "local 60"), (*sixteen, int32(8), "local 64"), range=((16,), (16,)))
    parts = ("__global__ void $K(int *out, int n, DYNAMIC_SHARED(char, bytes)) {\n  EXTERN_SHARED(char, bytes);\n"
             "  float *weights = (float *)bytes;\n  int *indices = (int *)&weights[n];\n  weights[threadIdx.x] = 1;\n"
             "  __syncthreads();\n  if (threadIdx.x == n - 1)\n    indices[threadIdx.x] = 3; /*BUG*/\n  __syncthreads();\n"
             "  out[threadIdx.x] = (int)weights[threadIdx.x];\n}\n")
    yield case("two_arrays_in_dynamic", parts, oob("write", 4, 60, 60, 2, memory="local", id=(7, 0, 0)),
               (memory("out", bytes(32)), int32(8), "local 60"),
               (memory("out", bytes(32)), int32(8), "local 64", holds("out", ints(*[1] * 8))), range=((8,), (8,)))
    transpose = ("__global__ void $K(const int *a, int *out, int more) {\n  __shared__ int tile[4][4];\n"
                 "  int x = threadIdx.x, y = threadIdx.y;\n  tile[y][x] = a[y * 4 + x];\n  __syncthreads();\n"
                 "  out[y * 4 + x] = tile[x == 3 && y == 3 ? x + more : x][y]; /*BUG*/\n}\n")
    square = [4 * x + y for y in range(4) for x in range(4)]
    yield case("transpose", transpose, oob("read", 4, 64, 76, name="tile", root="local", memory="none", id=(3, 3, 0)),
               (memory("a", ints(*range(16))), memory("out", bytes(64)), int32(1)),
               (memory("a", ints(*range(16))), memory("out", bytes(64)), int32(0), holds("out", ints(*square))),
               range=((4, 4), (4, 4)))
    histogram = ("__global__ void $K(const int *a, int *out) {\n  __shared__ int bins[16];\n"
                 "  bins[threadIdx.x] = 0;\n  __syncthreads();\n"
                 "  atomicAdd(&bins[a[threadIdx.x]], 1); /*BUG*/\n  __syncthreads();\n"
                 "  out[threadIdx.x] = bins[threadIdx.x];\n}\n")
    data = [3, 3, 3, *range(13)]
    counts = [data.count(k) for k in range(16)]
    counts[12] -= 1
    yield case("histogram", histogram, oob("atomic", 4, 64, 4 * 16, name="bins", root="local", memory="none",
                                           id=(15, 0, 0)),
               (memory("a", ints(*data[:15], 16)), memory("out", bytes(64)), holds("out", ints(*counts))),
               (memory("a", ints(*data)), memory("out", bytes(64)), holds("out", ints(*map(data.count, range(16))))),
               range=((16,), (16,)))
    warps = ("__global__ void $K(int *out, int width) {\n  __shared__ int sums[4];\n"
             "  if (threadIdx.x < 4) sums[threadIdx.x] = 1;\n  __syncthreads();\n"
             "  if (threadIdx.x == {{4||3}} * width)\n    sums[threadIdx.x / width] = 5; /*BUG*/\n  __syncthreads();\n  if (threadIdx.x == 0) out[0] = sums[3];\n}\n")
    yield case("sums_of_warps", warps, oob("write", 4, 16, 16, name="sums", root="local", memory="none", id=(32, 0, 0)),
               (memory("out", bytes(4)), int32(8), holds("out", ints(1))),
               (memory("out", bytes(4)), int32(8), holds("out", ints(5))), range=((40,), (40,)))
    phases = ("__global__ void $K(int *out, int phase) {\n  __shared__ double buffers[2][8];\n"
              "  buffers[0][threadIdx.x] = buffers[1][threadIdx.x] = threadIdx.x;\n  __syncthreads();\n"
              "  if (threadIdx.x == 5)\n    out[0] = (int)buffers[phase][threadIdx.x]; /*BUG*/\n}\n")
    yield case("double_buffer", phases,
               oob("read", 8, 128, 8 * 21, name="buffers", root="local", memory="none", id=(5, 0, 0)),
               (memory("out", bytes(4)), int32(2)), (memory("out", bytes(4)), int32(1), holds("out", ints(5))),
               range=((8,), (8,)))


def data_driven():
    """Indices that come from memory, and lists of items that are full."""
    rows = ("__global__ void $K(const int *starts, const float *values, float *out, int n) {\n"
            f"  {ID}\n  if (i >= n) return;\n  float sum = 0;\n"
            "  int end = starts[i + 1]; /*BUG*/\n  for (int k = starts[i]; k < end; ++k) sum += values[k];\n"
            "  out[i] = sum;\n}\n")
    rest = (memory("values", floats(*range(9))), memory("out", bytes(16)), int32(4))
    yield case("csr_without_last", rows, oob("read", 4, 16, 16, 0, id=(3, 0, 0)),
               (memory("starts", ints(0, 2, 5, 6)), *rest, holds("out", floats(1, 9, 5, 0))),
               (memory("starts", ints(0, 2, 5, 6, 9)), *rest, holds("out", floats(1, 9, 5, 21))), range=((8,), (4,)))
    gather = (f"__global__ void $K(const int *indices, const double *values, double *out) {{\n  {ID}\n"
              "  out[i] = values[indices[i]]; /*BUG*/\n}\n")
    eight, doubles = (memory("values", struct.pack("<8d", *range(8))), memory("out", bytes(64))), struct.pack
    yield case("gather", gather, oob("read", 8, 64, -8, 1, id=(6, 0, 0)),
               (memory("indices", ints(0, 1, 2, 3, 4, 5, -1, 7)), *eight, holds("out", doubles("<8d", 0, 1, 2, 3, 4, 5, 0,
                                                                                                7))),
               (memory("indices", ints(0, 1, 2, 3, 4, 5, 1, 7)), *eight, holds("out", doubles("<8d", 0, 1, 2, 3, 4, 5, 1,
                                                                                               7))), range=((8,), (4,)))
    queue = (f"__global__ void $K(int *items, int *count, int limit) {{\n  {ID}\n  int at = atomicAdd(count, 1);\n"
             "  if (at < limit)\n    items[at] = i; /*BUG*/\n}\n")
    yield case("full_queue", queue,
               Expected("out_of_bounds_write", "write", 4, "", 48, "past", items=4, root="argument", arg=0, memory="usm"),
               (memory("items", bytes(48)), memory("count", ints(0), "shared"), int32(99), holds("count", ints(16))),
               (memory("items", bytes(48)), memory("count", ints(0), "shared"), int32(12), holds("count", ints(16))),
               range=((16,), (4,)))
    bits = (f"__global__ void $K(int *words, int n) {{\n  {ID}\n  if (i == n)\n"
            "    atomicOr(&words[i / 32], 1 << (i % 32)); /*BUG*/\n}\n")
    yield case("bitmap_not_rounded", bits, oob("atomic", 4, 8, 8, 0, id=(67, 0, 0)), (memory("words", bytes(8)), int32(67)),
               (memory("words", bytes(12)), int32(67), holds("words", ints(8), 8)), range=((96,), (32,)))
    text = ("__global__ void $K(const char *text, int *out, int n) {\n  int length = 0;\n"
            "  while (length {{<=||<}} n && text[length]) ++length; /*BUG*/\n  out[0] = length;\n}\n")
    yield case("string_without_end", text, oob("read", 1, 5, 5, 0),
               (memory("text", b"hello"), memory("out", bytes(4)), int32(5), holds("out", ints(5))))
    search = ("__global__ void $K(const int *sorted, int *out, int n, int wanted) {\n  int low = 0, high = {{n||n - 1}};\n"
              "  while (low < high) {\n    int middle = (low + high {{+ 1||}}) / 2;\n"
              "    if (sorted[middle] < wanted) low = middle {{||+ 1}}; /*BUG*/\n    else high = middle {{- 1||}};\n  }\n"
              "  out[0] = low;\n}\n")
    yield case("binary_search", search, oob("read", 4, 28, 28, 0),
               (memory("sorted", ints(1, 3, 5, 7, 9, 11, 13)), memory("out", bytes(4)), int32(7), int32(99)),
               (memory("sorted", ints(1, 3, 5, 7, 9, 11, 13)), memory("out", bytes(4)), int32(7), int32(13),
                holds("out", ints(6))))
    vectors = (f"__global__ void $K(const float *a, float4 *out, int n) {{\n  {ID}\n  if (i < n)\n"
               "    out[i] = ((const float4 *)a)[i]; /*BUG*/\n}\n")
    yield case("vector_tail", vectors, oob("read", 16, 4 * 30, 16 * 7, 0, id=(7, 0, 0)),
               (memory("a", floats(*range(30))), memory("out", bytes(128)), int32(8)),
               (memory("a", floats(*range(32))), memory("out", bytes(128)), int32(8), holds("out", floats(*range(32)))),
               range=((8,), (4,)))


def atomics():
    """The other atomics; in global and in shared memory."""
    for name, call, found in (("sub", "atomicSub(&q[at], 5)", 1), ("exch", "atomicExch(&q[at], 5)", 1),
                              ("max", "atomicMax(&q[at], 5)", 1), ("min", "atomicMin(&q[at], 5)", 1),
                              ("or", "atomicOr(&q[at], 6)", 1), ("cas", "atomicCAS(&q[at], 1, 5)", 1)):
        yield case(f"atomic_{name}_global", f"__global__ void $K(int *q, int *out, int at) {{\n  out[0] = {call}; /*BUG*/\n}}\n",
                   oob("atomic", 4, 60, 60, 0), (memory("q", ints(*[found] * 15)), memory("out", bytes(4)), int32(15)),
                   (memory("q", ints(*[found] * 15)), memory("out", bytes(4)), int32(14), holds("out", ints(found))))
        yield case(f"atomic_{name}_shared",
                   "__global__ void $K(int *out, int at) {\n  __shared__ int q[15];\n  for (int k = 0; k < 15; ++k) q[k] = 1;\n"
                   f"  out[0] = {call}; /*BUG*/\n}}\n", oob("atomic", 4, 60, -4, name="q", root="local", memory="none"),
                   (memory("out", bytes(4)), int32(-1)), (memory("out", bytes(4)), int32(14), holds("out", ints(found))))


def shuffles():
    """The index comes from another lane."""
    given = (memory("a", bytes(32)),)
    yield case("shuffled_index", "__global__ void $K(int *a, int more) {\n"
               "  int at = __shfl_sync(0xffffffff, threadIdx.x + more, 3);\n  if (threadIdx.x == 2)\n"
               "    a[at] = 5; /*BUG*/\n}\n", oob("write", 4, 32, 40, 0, id=(2, 0, 0)), (*given, int32(7)),
               (*given, int32(4), holds("a", ints(5), 28)), range=((4,), (4,)))
    yield case("shuffled_to_shared", "__global__ void $K(int *out, int more) {\n  __shared__ short tile[6];\n"
               "  if (threadIdx.x == 0) for (int k = 0; k < 6; ++k) tile[k] = k;\n  __syncthreads();\n"
               "  int at = __shfl_sync(0xffffffff, threadIdx.x + more, 1);\n  if (threadIdx.x == 3)\n"
               "    out[0] = tile[at]; /*BUG*/\n}\n",
               oob("read", 2, 12, -2, name="tile", root="local", memory="none", id=(3, 0, 0)),
               (memory("out", bytes(4)), int32(-2), holds("out", ints(0))),
               (memory("out", bytes(4)), int32(4), holds("out", ints(5))), range=((4,), (4,)))


def cpp():
    """C++: templates, functors, classes, copies of structs, pointers in variables."""
    yield case("template_kernel", "template <int B, typename T>\n__global__ void $K(T *a, int n) {\n"
               "  a[blockIdx.x * B + n] = 5; /*BUG*/\n}\ntemplate __global__ void $K<8, double>(double *, int);\n",
               oob("write", 8, 64 * 8, 64 * 8, 0, id=(7, 0, 0)),
               (memory("a", bytes(512)), int32(8)), (memory("a", bytes(512)), int32(7)), range=((8,), (1,)))
    functor = ("struct scale_$K { float *to; float by; __device__ void operator()(int i) const { to[i] = i * by; } /*BUG*/ };\n"
               f"template <typename F>\n__global__ void $K(F f, int n) {{\n  {ID}\n  if (i < n)\n    f(i); /*CALL*/\n}}\n"
               "template __global__ void $K<scale_$K>(scale_$K, int);\n")
    yield case("functor", functor, oob("write", 4, 40, 40, root="heap", id=(10, 0, 0)),
               ("memory to device " + "00" * 40, f"packed to 0 {floats(2).hex()}00000000", int32(11)),
               ("memory to device " + "00" * 40, f"packed to 0 {floats(2).hex()}00000000", int32(10),
                holds("to", floats(*(2 * k for k in range(10))))), range=((16,), (8,)))
    base = ("struct base_$K { int *data; __device__ __noinline__ int get(int i) const { return data[i]; } /*BUG*/ };\n"
            "struct derived_$K : base_$K { int shift; __device__ int moved(int i) const { return get(i + shift); } };\n"
            "__global__ void $K(derived_$K d, int *out, int at) {\n  out[0] = d.moved(at); /*CALL*/\n}\n")
    made = f"memory data shared {ints(*range(16)).hex()}"
    yield case("derived", base, oob("read", 4, 64, 64, root="heap"),
               (made, "packed data 0 0400000000000000", memory("out", bytes(4)), int32(12)),
               (made, "packed data 0 0400000000000000", memory("out", bytes(4)), int32(11), holds("out", ints(15))))
    copy = "struct big_$K { int v[6]; };\n__global__ void $K(big_$K *a, big_$K *out, int at) {\n  $line /*BUG*/\n}\n"
    for name, line, word, left in (("from", "out[0] = a[at];", "read", 0), ("to", "a[at] = out[0];", "write", 0)):
        yield case(f"struct_copied_{name}", copy.replace("$line", line), oob(word, 24, 60, 48, left),
                   (memory("a", ints(*range(15))), memory("out", bytes(24)), int32(2)),
                   (memory("a", ints(*range(15))), memory("out", bytes(24)), int32(1)))
    yield case("pointer_in_variable", "DEVICE_VARIABLE(int *, table_$K, 4)\n#define table_$K VARIABLE(table_$K)\n"
               "__global__ void $K(int *out, int at) {\n  out[0] = table_$K[2][at]; /*BUG*/\n}\n",
               oob("read", 4, 64, 64, root="heap"),
               (f"memory data device {ints(*range(16)).hex()}", "variable table_$K device " + "00" * 32,
                "link table_$K 16 data 0", memory("out", bytes(4)), int32(16)),
               (f"memory data device {ints(*range(16)).hex()}", "variable table_$K device " + "00" * 32,
                "link table_$K 16 data 0", memory("out", bytes(4)), int32(15), holds("out", ints(15))))
    yield case("struct_of_arrays", "struct soa_$K { float *x, *y; };\n"
               f"__global__ void $K(soa_$K *points, float *out) {{\n  {ID}\n"
               "  out[i] = points->x[i] + points->y[i]; /*BUG*/\n}\n", oob("read", 4, 28, 28, root="heap", id=(7, 0, 0)),
               (f"memory x device {floats(*range(8)).hex()}", f"memory y device {floats(*range(7)).hex()}",
                "memory p shared " + "00" * 16, "link p 0 x 0", "link p 8 y 0", "pointer p 0", memory("out", bytes(32))),
               (f"memory x device {floats(*range(8)).hex()}", f"memory y device {floats(*range(8)).hex()}",
                "memory p shared " + "00" * 16, "link p 0 x 0", "link p 8 y 0", "pointer p 0", memory("out", bytes(32)),
                holds("out", floats(*(2 * k for k in range(8))))), range=((8,), (4,)))
    # Of CUDA's functions, not of HIP's, clang puts a constant table into generic memory.
    for name, type, bytes_, way in (("int", "int", 4, "table[at]"), ("short", "short", 2, "table[at]"),
                                    ("double", "double", 8, "table[at]")):
        yield case(f"constant_table_{name}", f"__global__ void $K(int *out, int at) {{\n"
                   f"  const {type} table[] = {{5, 3, 8, 1, 9, 2, 7, 6, 4, 3, 5, 8}};\n  out[0] = (int){way}; /*BUG*/\n}}\n",
                   oob("read", bytes_, 12 * bytes_, 12 * bytes_, name="table", root="program", memory="none"),
                   (memory("out", bytes(4)), int32(12)), (memory("out", bytes(4)), int32(4), holds("out", ints(9))),
                   form="cuda")


def members():
    """Arrays in structs that run into the next member. Of `a->first[n]` clang's optimizer leaves nothing that says so,
    of `a[k].second[n]` it does."""
    struct_ = "struct parts_$K { int first[4]; int second[4]; int third[4]; };\n"
    kernel = struct_ + "__global__ void $K(parts_$K *a, int *out, int k, int n) {\n  $line /*BUG*/\n}\n"
    data = ints(*range(36))
    for name, line, word, kind, index in (("past", "a[k].second[n] = 5;", "write", "device", 4),
                                          ("before", "a[k].second[n] = 5;", "write", "svm", -2),
                                          ("read", "out[0] = a[k].second[n];", "read", "shared", 5),
                                          ("third", "out[0] = a[k].third[n];", "read", "host", 4)):
        where, distance = placed(4 * index, 4, 16)
        expected = Expected("member_overflow", word, 4, "", 16, where, distance, global_id=(0, 0, 0), items=1,
                            root="argument", arg=0, memory="svm" if kind == "svm" else "usm")
        given = (memory("a", data, kind), memory("out", bytes(4)), int32(1))
        right = holds("out", ints(12 + (8 if name == "third" else 4) + 3)) if word == "read" else holds("a", ints(5), 76)
        yield case(f"member_{name}", kernel.replace("$line", line), expected, (*given, int32(index)),
                   (*given, int32(3), right))


def cases():
    return [*bounds(), *shared(), *data_driven(), *atomics(), *shuffles(), *cpp(), *members()]
