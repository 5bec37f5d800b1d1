# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that wrap around 2^32 or 2^64, sizes of zero and one, index types, and
launches whose shape does not fit the memory."""

from model import buffer, counting, int32, int64, ints, local, out, out_of_bounds, sub_buffer
from cases.kinds import case

INTS = buffer(64, counting(16))


def oob(word, bytes, offset, size=64, name="a", **more):
    return out_of_bounds(word, bytes, name, size, offset, **more)


# name: (type of n, expression of the index, wrong n, its byte offset, right n)
INDICES = {
    "uint_minus_one": ("uint", "n - 1", 0, 4 * (2**32 - 1), 16),
    "int_minus_one": ("int", "n - 1", 0, -4, 16),
    "ulong_minus_one": ("ulong", "n - 1", 0, -4, 16),
    "uint_product": ("uint", "n * 65537u", 65535, 4 * (65535 * 65537 % 2**32), 0),
    "uint_as_int": ("uint", "(int)(n * 2u)", 2**30, -4 * 2**31, 7),
    "int_least": ("int", "n", -2**31, -4 * 2**31, 15),
    "int_greatest": ("int", "n", 2**31 - 1, 4 * (2**31 - 1), 15),
    "uint_greatest": ("uint", "n", 2**32 - 1, 4 * (2**32 - 1), 15),
    "long_2_40": ("long", "n", 2**40, 2**42, 15),
    "long_2_60": ("long", "n", 2**60, 2**62, 15),
    "long_minus_2_60": ("long", "n", -2**60, -2**62, 15),
    "ulong_wraps_2_64": ("ulong", "n", 2**64 - 16, -64, 15),
    "ulong_sum_wraps": ("ulong", "n + 2", 2**64 - 3, -4, 13),
    "char_negative": ("int", "(char)n", 0xFF, -4, 15),
    "uchar_not_negative": ("int", "(uchar)n", 0xFF, 4 * 255, 15),
    "short_negative": ("int", "(short)n", 0xFFFE, -8, 15),
    "ushort_not_negative": ("int", "(ushort)n", 0xFFFE, 4 * 0xFFFE, 15),
    "shift": ("int", "1 << n", 4, 64, 3),
    "quotient": ("int", "n / 2", -3, -4, 31),
    "remainder": ("int", "n % 16", -1, -4, 15),
}


def indices():
    for number, (name, (type, index, wrong, offset, right)) in enumerate(INDICES.items()):
        value = int64 if type in ("long", "ulong") else int32
        line, word = (("out[0] = a[{}]; /*BUG*/", "read"), ("a[{}] = 5; /*BUG*/", "write"))[number % 2]
        yield case("extents", f"index_{name}",
                   f"kernel void $K(global int *a, global int *out, {type} n) {{\n  {line.format(index)}\n}}\n",
                   oob(word, 4, offset), (INTS, out(), value(wrong)), (INTS, out(), value(right)))
    for name, params, line, bytes, offset, right in (
            ("vload16_over_the_start", "int", "vstore4(vload16(0, a + n).lo.lo, 0, out); /*BUG*/", 64, -4, 0),
            ("vload16_behind_everything", "int", "vstore4(vload16(0, a + n).lo.lo, 0, out); /*BUG*/", 64, 64, 0),
            ("vload4_one_short", "int", "vstore4(vload4(0, a + n), 0, out); /*BUG*/", 16, 52, 12),
            ("vload3_one_short", "int", "vstore3(vload3(0, a + n), 0, out); /*BUG*/", 12, 56, 13)):
        yield case("extents", f"index_{name}",
                   f"kernel void $K(global int *a, global int *out, {params} n) {{\n  {line}\n}}\n",
                   oob("read", bytes, offset), (INTS, out(), int32(offset // 4)), (INTS, out(), int32(right)))


def sizes():
    one = buffer(1, b"\5")
    yield case("extents", "size_one_past", "kernel void $K(global char *a, global char *out, int n) {\n"
               "  out[0] = a[n]; /*BUG*/\n}\n", oob("read", 1, 1, 1), (one, out(), int32(1)), (one, out(), int32(0)))
    yield case("extents", "size_one_before", "kernel void $K(global char *a, global char *out, int n) {\n"
               "  a[n] = 5; /*BUG*/\n}\n", oob("write", 1, -1, 1), (one, out(), int32(-1)), (one, out(), int32(0)))
    yield case("extents", "size_one_as_int", "kernel void $K(global int *a, global int *out, int n) {\n"
               "  out[0] = a[n]; /*BUG*/\n}\n", oob("read", 4, 0, 1), (one, out(), int32(0)),
               (buffer(4), out(), int32(0)))
    yield case("extents", "size_one_local", "kernel void $K(local char *a, global char *out, int n) {\n"
               "  a[n] = 5; /*BUG*/\n  out[0] = n;\n}\n", oob("write", 1, 1, 1), (local(1), out(), int32(1)),
               (local(1), out(), int32(0)))
    yield case("extents", "size_one_variable",
               "kernel void $K(global char *out, int n) {\n  char one[1];\n  one[0] = 3;\n"
               "  out[0] = one[n]; /*BUG*/\n}\n", oob("read", 1, 1, 1, "one"), (out(), int32(1)), (out(), int32(0)))
    yield case("extents", "size_one_scalar", "kernel void $K(global int *out, int n) {\n  int x = 3;\n  int *p = &x;\n"
               "  out[0] = p[n]; /*BUG*/\n}\n", oob("read", 4, 4, 4, "x"), (out(), int32(1)), (out(), int32(0)))
    yield case("extents", "size_one_sub_buffer", "kernel void $K(global char *a, global char *out, int n) {\n"
               "  out[0] = a[n]; /*BUG*/\n}\n", oob("read", 1, 1, 1), (sub_buffer(128, 1, 512, b"\5"), out(), int32(1)),
               (sub_buffer(128, 1, 512, b"\5"), out(), int32(0)))
    # Nothing is copied: nothing is touched, wherever the pointer is.
    yield case("extents", "size_zero_async",
               "kernel void $K(global int *a, global int *out, int n) {\n  local int tmp[4];\n"
               "  tmp[0] = 1;\n  event_t e = async_work_group_copy(tmp, a + 16, n, 0); /*BUG*/\n"
               "  wait_group_events(1, &e);\n  out[0] = tmp[0];\n}\n", oob("read", 4, 64), (INTS, out(), int32(1)),
               (INTS, out(), int32(0)))
    # A hint, wherever it points.
    yield case("extents", "prefetch_anywhere", "kernel void $K(global int *a, global int *out, int n) {\n"
               "  prefetch(a + 12, 16);\n  prefetch(a + 100000, 1);\n  prefetch(a - 5, (size_t)-1);\n"
               "  out[0] = a[n]; /*BUG*/\n}\n", oob("read", 4, 64), (INTS, out(), int32(16)),
               (INTS, out(), int32(15)), after=((1, 0, ints(16)),))
    # The spec says vloadn and vstoren touch three elements; an object of three has four's size.
    for name, type, call in (("fract", "float", "fract(2.25f + x, a + n)"), ("modf", "float", "modf(2.25f + x, a + n)"),
                             ("sincos", "float", "sincos(x, a + n)"), ("frexp", "int", "frexp(8.0f + x, a + n)"),
                             ("lgamma_r", "int", "lgamma_r(2.5f + x, a + n)"),
                             ("remquo", "int", "remquo(6.0f + x, (float3)(2.0f), a + n)")):
        yield case("extents", f"object_of_three_{name}",
                   f"kernel void $K(global {type}3 *a, global float *out, int n) {{\n  float3 x = 0.0f;\n"
                   f"  float3 y = {call}; /*BUG*/\n  out[0] = y.x + y.y + y.z;\n}}\n", oob("write", 16, 16, 28),
                   (buffer(28), out(), int32(1)), (buffer(32), out(), int32(1)))


def shapes():
    def shape(name, params, body, expected, bug, ok, range):
        return case("extents", f"range_{name}", f"kernel void $K({params}) {{\n{body}}}\n", expected, bug, ok,
                    range=range)

    plain = "  out[get_global_id(0)] = a[get_global_id(0)]; /*BUG*/\n"
    yield shape("one_item_too_many", "global int *a, global int *out", plain, oob("read", 4, 64, global_id=(16, 0, 0)),
                (INTS, out(128)), (buffer(68), out(128)), ((17,), (1,)))
    yield shape("buffer_too_small", "global int *a, global int *out", plain, oob("read", 4, 60, 60, global_id=(15, 0,
                                                                                                               0)),
                (buffer(60), out()), (INTS, out()), ((16,), (8,)))
    yield shape("with_offset", "global int *a, global int *out", plain, oob("read", 4, 124, 124, global_id=(31, 0, 0)),
                (buffer(124), out(128)), (buffer(128), out(128)), ((16,), (4,), (16,)))
    yield shape("two_dimensions", "global int *a, global int *out",
                "  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n  a[i] = out[0]; /*BUG*/\n",
                oob("write", 4, 124, 124, global_id=(7, 3, 0)), (buffer(124), out()), (buffer(128), out()), ((8, 4),
                                                                                                             (4, 2)))
    yield shape("three_dimensions", "global int *a, global int *out",
                "  size_t i = (get_global_id(2) * 3 + get_global_id(1)) * 4 + get_global_id(0);\n"
                "  a[i] = out[0]; /*BUG*/\n", oob("write", 4, 92, 92, global_id=(3, 2, 1)),
                (buffer(92), out()), (buffer(96), out()), ((4, 3, 2), (2, 1, 1)))
    yield shape("guard_off_by_one", "global int *a, global int *out, int n",
                "  if (get_global_id(0) <= n) a[get_global_id(0)] = 5; /*BUG*/\n",
                oob("write", 4, 64, global_id=(16, 0, 0)), (INTS, out(), int32(16)), (INTS, out(), int32(15)), ((32,),
                                                                                                                (8,)))
    yield shape("before_the_first_item", "global int *a, global int *out, int n",
                "  out[get_global_id(0)] = a[get_global_id(0) - n]; /*BUG*/\n",
                oob("read", 4, -4, global_id=(0, 0, 0)), (INTS, out(), int32(1)), (INTS, out(), int32(0)), ((16,), (4,
                                                                                                                    )))
    yield shape("tile_without_halo", "global int *a, global int *out, int n",
                "  local int tile[16];\n  size_t l = get_local_id(0);\n  tile[l] = a[l];\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  out[l] = tile[l + n]; /*BUG*/\n", oob("read", 4, 64, name="tile", global_id=(15, 0, 0)),
                (INTS, out(), int32(1)), (INTS, out(), int32(0)), ((16,), (16,)))
    yield shape("local_argument_by_group", "local int *a, global int *out",
                "  a[get_local_id(0)] = 3; /*BUG*/\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out[get_global_id(0)] = a[0];\n",
                oob("write", 4, 28, 28, global_id=(7, 0, 0)), (local(28), out()), (local(32), out()), ((8,), (8,)))
    yield shape("all_items", "global int *a, global int *out, int n",
                "  out[get_global_id(0)] = a[n]; /*BUG*/\n", oob("read", 4, 68, items=64),
                (INTS, out(256), int32(17)), (INTS, out(256), int32(15)), ((64,), (16,)))
    yield shape("transposed", "global int *a, global int *out",
                "  size_t i = {{get_global_id(0) * 8 + get_global_id(1)||get_global_id(1) * 8 + get_global_id(0)}};\n"
                "  if (get_global_id(0) == 7 && get_global_id(1) == 3) a[i] = out[0]; /*BUG*/\n",
                oob("write", 4, 4 * 59, 128, global_id=(7, 3, 0)), (buffer(128), out()), None, ((8, 4), (4, 4)))


def cases():
    return [*indices(), *sizes(), *shapes()]
