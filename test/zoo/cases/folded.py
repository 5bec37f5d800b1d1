# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses whose offset a compiler knows, in the source or once functions are inlined. What is known to be undefined
is what optimizers remove first: these errors must still be reported, if and only if the access executes."""

from cases.kinds import case
from model import Expected, ints, int32, out, out_of_bounds

FOUR = "  int t[4];\n  t[0] = 1; t[1] = 2; t[2] = 3; t[3] = 4;\n"
STRUCT = "  struct { int a[2]; int b[2]; } s;\n  s.a[0] = 1; s.a[1] = 2; s.b[0] = 3; s.b[1] = 4;\n"
CHOSEN = "constant int $K_t[4] = {1, 2, 3, 4};\n"


def oob(word, offset, name="t", size=16, bytes=4):
    return out_of_bounds(word, bytes, name, size, offset)


def member(word, offset, bytes=4, size=8):
    return Expected("member_overflow", word, bytes, "s", size, *placed(offset, bytes, size))


def placed(offset, bytes, size):
    found = out_of_bounds("read", bytes, "", size, offset)
    return found.where, found.distance


# name: (before the kernel, body, expected, out[0] of the correct variant)
BODIES = {
    "private_read_past": ("", FOUR + "  out[0] = t[{{4||3}}]; /*BUG*/\n", oob("read", 16), 4),
    "private_read_before": ("", FOUR + "  out[0] = t[{{-1||0}}]; /*BUG*/\n", oob("read", -4), 1),
    "private_read_far": ("", FOUR + "  out[0] = t[{{1 << 28||1}}]; /*BUG*/\n", oob("read", 1 << 30), 2),
    "private_read_unused": ("", FOUR + "  int x = t[{{4||3}}]; /*BUG*/\n  out[0] = t[0];\n", oob("read", 16), 1),
    "private_write_past": ("", FOUR + "  t[{{4||3}}] = 5; /*BUG*/\n  out[0] = t[0];\n", oob("write", 16), 1),
    "private_write_before": ("", FOUR + "  t[{{-1||1}}] = 5; /*BUG*/\n  out[0] = t[0];\n", oob("write", -4), 1),
    "private_write_unread": ("", "  int t[4];\n  t[{{4||3}}] = 5; /*BUG*/\n  out[0] = 7;\n", oob("write", 16), 7),
    "private_through_variable": ("", FOUR + "  size_t i = 2;\n  i += {{2||1}};\n  out[0] = t[i]; /*BUG*/\n",
                                 oob("read", 16), 4),
    "private_index_in_struct": ("", FOUR + "  struct { long n; long i; } at = {0, {{4||3}}};\n"
                                "  out[0] = t[at.i]; /*BUG*/\n", oob("read", 16), 4),
    "private_index_chosen": ("", FOUR + "  out[0] = t[n > 0 ? {{4||3}} : 0]; /*BUG*/\n", oob("read", 16), 4),
    "private_address_chosen": ("", FOUR + "  int *p = n > 0 ? &t[{{4||3}}] : &t[1];\n  out[0] = *p; /*BUG*/\n",
                               oob("read", 16), 4),
    "private_address_by_branch": ("", FOUR + "  int *p = t;\n  if (n > 0) p = t + {{4||3}};\n  out[0] = *p; /*BUG*/\n",
                                  oob("read", 16), 4),
    "private_straddles": ("", FOUR + "  out[0] = *(long *)&t[{{3||2}}] >> 32; /*BUG*/\n",
                          oob("read", 12, bytes=8), 4),
    "private_wide_write": ("", FOUR + "  *(int2 *)&t[{{3||2}}] = (int2)(5, 6); /*BUG*/\n  out[0] = t[0];\n",
                           oob("write", 12, bytes=8), 1),
    "private_vload": ("", FOUR + "  out[0] = vload4({{1||0}}, t).x; /*BUG*/\n", oob("read", 16, bytes=16), 1),
    "private_vstore": ("", FOUR + "  vstore4((int4)(5), 0, t + {{1||0}}); /*BUG*/\n  out[0] = t[0];\n",
                       oob("write", 4, bytes=16), {True: 1, False: 5}),
    "private_loop": ("", FOUR + "  int sum = 0;\n  for (int i = 0; i < {{5||4}}; i++)\n    sum += t[i]; /*BUG*/\n"
                     "  out[0] = sum;\n", oob("read", 16), 10),
    "private_loop_unrolled": ("", FOUR + "  int sum = 0;\n  __attribute__((opencl_unroll_hint))\n"
                              "  for (int i = 0; i < {{5||4}}; i++)\n    sum += t[i]; /*BUG*/\n  out[0] = sum;\n",
                              oob("read", 16), 10),
    "private_two_dimensions": ("", "  int t[2][2] = { {1, 2}, {3, 4} };\n  out[0] = t[{{2||1}}][1]; /*BUG*/\n",
                               oob("read", 20), 4),
    "private_of_vector": ("", "  int4 v = (int4)(1, 2, 3, 4);\n  out[0] = ((int *)&v)[{{4||3}}]; /*BUG*/\n",
                          oob("read", 16, "v"), 4),
    "private_of_scalar": ("", "  int x = 3;\n  out[0] = (&x)[{{1||0}}]; /*BUG*/\n", oob("read", 4, "x", 4), 3),
    "private_by_function": ("void $K_set(int *p, int i) {\n  p[i] = 5; /*BUG*/\n}\n",
                            "  int t[2];\n  t[0] = 1; t[1] = 2;\n  $K_set(t, {{2||1}});\n  out[0] = t[0];\n",
                            oob("write", 8, size=8), 1),
    "private_fill_by_function": ("void $K_fill(int *p, int last) {\n  for (int i = 0; i <= last; i++)\n"
                                 "    p[i] = 5; /*BUG*/\n}\n",
                                 "  int t[2];\n  $K_fill(t, {{2||1}});\n  out[0] = t[0] + t[1];\n",
                                 oob("write", 8, size=8), 10),
    "private_own_of_function": ("int $K_get(int i) {\n  int t[4] = {1, 2, 3, 4};\n  return t[i]; /*BUG*/\n}\n",
                                "  out[0] = $K_get({{4||3}});\n", oob("read", 16), 4),
    "private_copy": ("", "  struct eight { int v[8]; } from, to;\n  int t[{{6||8}}];\n"
                     "  for (int i = 0; i < {{6||8}}; i++) t[i] = i;\n"
                     "  to = *(struct eight *)t; /*BUG*/\n  out[0] = to.v[n];\n",
                     oob("read", 0, size=24, bytes=32), 1),
    "member_read": ("", STRUCT + "  out[0] = s.a[{{3||1}}]; /*BUG*/\n", member("read", 12), 2),
    "member_write": ("", STRUCT + "  s.a[{{2||1}}] = 5; /*BUG*/\n  out[0] = s.a[0];\n", member("write", 8), 1),
    "member_of_second": ("", STRUCT + "  out[0] = s.b[{{-1||0}}]; /*BUG*/\n", member("read", -4), 3),
    "member_index_chosen": ("", STRUCT + "  out[0] = s.a[n > 0 ? {{2||1}} : 0]; /*BUG*/\n", member("read", 8), 2),
    "constant_read": (CHOSEN, "  out[0] = $K_t[{{6||3}}]; /*BUG*/\n", oob("read", 24, "$K_t"), 4),
    "constant_before": (CHOSEN, "  out[0] = $K_t[{{-1||0}}]; /*BUG*/\n", oob("read", -4, "$K_t"), 1),
    "constant_of_zeros": ("constant int $K_t[4] = {0, 0, 0, 0};\n", "  out[0] = $K_t[{{60000||3}}]; /*BUG*/\n",
                          oob("read", 240000, "$K_t"), 0),
    "constant_by_function": (CHOSEN + "int $K_get(int i) {\n  return $K_t[i]; /*BUG*/\n}\n",
                             "  out[0] = $K_get({{4||3}});\n", oob("read", 16, "$K_t"), 4),
    "constant_by_constant": (CHOSEN, "  int i = $K_t[{{3||2}}];\n  out[0] = $K_t[i]; /*BUG*/\n",
                             oob("read", 16, "$K_t"), 4),
    "constant_unused": (CHOSEN, "  int x = $K_t[{{4||3}}]; /*BUG*/\n  out[0] = 7;\n", oob("read", 16, "$K_t"), 7),
    "constant_straddles": (CHOSEN, "  out[0] = *(constant long *)&$K_t[{{3||2}}] >> 32; /*BUG*/\n",
                           oob("read", 12, "$K_t", bytes=8), 4),
    "local_read": ("", "  local int t[4];\n  t[3] = 4;\n  out[0] = t[{{4||3}}]; /*BUG*/\n", oob("read", 16), 4),
    "local_write": ("", "  local int t[4];\n  t[3] = 4;\n  t[{{9||2}}] = 5; /*BUG*/\n  out[0] = t[3];\n",
                    oob("write", 36), 4),
}

# Pointers that point nowhere. name: (body, word, out[0] of the correct variant)
NOWHERE = {
    "uninitialized_store": ("  global int *p;\n{{||  p = out;\n}}  if (n > 0) *p = 1; /*BUG*/\n", "write", 1),
    "uninitialized_load": ("  global int *p;\n{{||  p = out;\n}}  int x = *p; /*BUG*/\n  out[0] = x > 0 ? 2 : 3;\n",
                           "read", 2),
    "uninitialized_sometimes": ("  global int *p;\n  if (n > {{5||0}}) p = out;\n  p[0] = 1; /*BUG*/\n", "write", 1),
    "uninitialized_member": ("  struct { global int *p; int n; } s;\n  s.n = 5;\n{{||  s.p = out;\n}}"
                             "  s.p[0] = s.n; /*BUG*/\n", "write", 5),
    "uninitialized_private": ("  int *p, x = 4;\n{{||  p = &x;\n}}  *p = 5; /*BUG*/\n  out[0] = x;\n", "write", 5),
    "null_private_store": ("  int x = 4, *p = {{0||&x}};\n  *p = 5; /*BUG*/\n  out[0] = x;\n", "write", 5),
    "null_store": ("  global int *p = {{0||out}};\n  *p = 5; /*BUG*/\n", "write", 5),
    "null_load": ("  global int *p = {{0||out + 1}};\n  int x = *p; /*BUG*/\n  out[0] = x > 0 ? 2 : 3;\n", "read", 2),
    "null_sometimes": ("  global int *p = n > {{5||0}} ? out : 0;\n  p[0] = 1; /*BUG*/\n", "write", 1),
}


def kernel(before, body):
    return f"{before}kernel void $K(global int *out, int n) {{\n{body}}}\n"


def cases():
    for name, (before, body, expected, value) in BODIES.items():
        left = value[False] if isinstance(value, dict) else value
        yield case("folded", f"folded_{name}", kernel(before, body), expected, (out(), int32(1)),
                   after=((0, 0, ints(left)),))
    for name, (body, word, value) in NOWHERE.items():
        yield case("folded", f"folded_{name}", kernel("", body), Expected("null_pointer", word, 4),
                   (out(), int32(1)), after=((0, 0, ints(value)),))
    # Not executed, so no error: the launch decides by n. The correct variant has the same access.
    for name, body in (("private", FOUR + "  out[0] = n > 0 ? t[4] : t[0]; /*BUG*/\n"),
                       ("private_store", FOUR + "  if (n > 0) t[4] = 5; /*BUG*/\n  out[0] = t[0];\n"),
                       ("before_unreachable", FOUR + "  if (n > 0) {\n    t[n + 3] = 5; /*BUG*/\n"
                        "    __builtin_unreachable();\n  }\n  out[0] = t[0];\n")):
        word = "read" if name == "private" else "write"
        yield case("folded", f"folded_not_executed_{name}", kernel("", body), oob(word, 16), (out(), int32(1)),
                   (out(), int32(0)), after=((0, 0, ints(1)),), forms=("source",) if "unreach" in name else
                   ("source", "il"))
