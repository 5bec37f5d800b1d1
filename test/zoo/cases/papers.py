# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bug suites of two papers, as OpenCL: "Let-Me-In" (LMI, HPCA 2025; 38 cases)
and CuSafe (2025; 33 cases). Neither paper prints its programs; these follow their
descriptions. CUDA's local memory is OpenCL's private, its shared is local.

Here: of LMI global 2, local 8, shared 6, intra-object 3 and use-after-scope 4; of
CuSafe linear 9, non-linear 6, and use-after-free in local memory. Not
here, for want of the thing in OpenCL: LMI's heap 3 (there is no malloc in kernels).
What is freed is in papers_temporal.py."""

from model import Expected, buffer, counting, int32, local, out, out_of_bounds, placed, sub_buffer
from cases.kinds import case

INTS = buffer(64, counting(16))
# LMI says that it finds all of its cases: their memory must have been of its sizes, powers of two of at least 256.
LMI_INTS = buffer(256, counting(64))
ADJACENT, NONADJACENT = 64, 400  # index into 64 ints


def oob(word, index, name, size=64):
    return out_of_bounds(word, 4, name, size, 4 * index)


def lmi_oob(word, index, name):
    return oob(word, index, name, 256)


def member(word, index, name, size):
    return Expected("member_overflow", word, 4, name, size, *placed(4 * index, 4, size))


def kernel(params, body):
    return f"kernel void $K({params}) {{\n{body}}}\n"


def bug(name, text, expected, wrong, right=15, arguments=()):
    return case("papers", name, text, expected, (*arguments, out(), int32(wrong)), (*arguments, out(), int32(right)))


FILL_TILE = "  int tile[16];\n  for (int k = 0; k < 16; ++k) tile[k] = k;\n"
FILL_TWO = ("  int tile[16], other[16];\n  for (int k = 0; k < 16; ++k) tile[k] = other[k] = k;\n")
SHARED_TILE = "  local int tile[16];\n  for (int k = 0; k < 16; ++k) tile[k] = k;\n"
SHARED_TWO = "  local int tile[16], other[16];\n  for (int k = 0; k < 16; ++k) tile[k] = other[k] = k;\n"
OUT = "global int *out, int n"
# A callee writes through a pointer to its caller's variable: another frame.
CALLEE = "void callee_$K(private int *p, int n) {\n  int mine[16];\n  for (int k = 0; k < 16; ++k) mine[k] = k;\n" \
         "  p[n] = mine[n & 15]; /*BUG*/\n}\n"
# The same with LMI's sizes.
LMI_TILE, LMI_TWO, LMI_SHARED, LMI_SHARED_TWO, LMI_CALLEE = (
    text.replace("16", "64").replace("& 15", "& 63")
    for text in (FILL_TILE, FILL_TWO, SHARED_TILE, SHARED_TWO, CALLEE))


def lmi():
    for name, index in (("adjacent", ADJACENT), ("nonadjacent", NONADJACENT)):
        yield bug(f"lmi_global_oob_{name}", kernel(f"global int *a, {OUT}", "  a[n] = 5; /*BUG*/\n"), lmi_oob("write",
                                                                                                          index, "a"),
                  index, arguments=(LMI_INTS,))
        yield bug(f"lmi_local_oob_single_within_frame_{name}",
                  kernel(OUT, LMI_TILE + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0];\n"), lmi_oob("write", index,
                                                                                                "tile"), index)
        yield bug(f"lmi_local_oob_multiple_within_frame_{name}",
                  kernel(OUT, LMI_TWO + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0] + other[0];\n"),
                  lmi_oob("write", index, "tile"), index)
        yield bug(f"lmi_local_oob_across_frames_{name}",
                  LMI_CALLEE + kernel(OUT, LMI_TILE + "  callee_$K(tile, n); /*CALL*/\n  out[0] = tile[0];\n"),
                  lmi_oob("write", index, "tile"), index)
    far = 2**20
    yield bug("lmi_local_oob_beyond_local_memory_single",
              kernel(OUT, LMI_TILE + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0];\n"),
              lmi_oob("write", far, "tile"), far)
    yield bug("lmi_local_oob_beyond_local_memory_multiple",
              kernel(OUT, LMI_TWO + "  out[0] = tile[n] + other[0]; /*BUG*/\n"), lmi_oob("read", far, "tile"), far)
    yield bug("lmi_shared_oob_single_within", kernel(OUT,
                                                     LMI_SHARED + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0];\n"),
              lmi_oob("write", ADJACENT, "tile"), ADJACENT)
    yield bug("lmi_shared_oob_multiple_within",
              kernel(OUT, LMI_SHARED_TWO + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0] + other[0];\n"),
              lmi_oob("write", ADJACENT, "tile"), ADJACENT)
    yield bug("lmi_shared_oob_single_beyond", kernel(OUT,
                                                     LMI_SHARED + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0];\n"),
              lmi_oob("write", far, "tile"), far)
    yield bug("lmi_shared_oob_multiple_beyond",
              kernel(OUT, LMI_SHARED_TWO + "  out[0] = tile[n] + other[0]; /*BUG*/\n"),
              lmi_oob("read", far, "tile"), far)
    yield bug("lmi_shared_oob_static_to_dynamic",
              kernel(f"local int *dynamic, {OUT}", LMI_SHARED + "  dynamic[0] = 1;\n  tile[n] = 5; /*BUG*/\n"
                     "  out[0] = dynamic[0];\n"), lmi_oob("write", ADJACENT, "tile"), ADJACENT, arguments=(local(256),))
    yield bug("lmi_shared_oob_dynamic_to_static",
              kernel(f"local int *dynamic, {OUT}", LMI_SHARED + "  dynamic[n] = 5; /*BUG*/\n  out[0] = tile[0];\n"),
              lmi_oob("write", ADJACENT, "dynamic"), ADJACENT, arguments=(local(256),))
    record = "struct pair_$K { int first[4]; int second[4]; int third[4]; };\n"
    for name, index in (("adjacent", 4), ("nonadjacent", 9)):
        yield bug(f"lmi_intra_oob_{name}", record + kernel(f"global struct pair_$K *a, {OUT}",
                                                           "  a->first[n] = 5; /*BUG*/\n"),
                  member("write", index, "a", 16), index, 3, (buffer(48),))
    yield bug("lmi_intra_oob_before", record + kernel(f"global struct pair_$K *a, {OUT}",
                                                      "  a->second[n] = 5; /*BUG*/\n"),
              member("write", -2, "a", 16), -2, 3, (buffer(48),))


# A variable of a function that has returned. The twin's is its caller's.
MAKE = "private int *make_$K(int n{{||, private int *tile}}) {\n  {{int tile[16];||}}\n" \
       "  for (int k = 0; k < 16; ++k) tile[k] = k;\n  return tile;\n}\n"
CALLED = "  {{||int tile[16];}}\n  private int *p = make_$K(n{{||, tile}});\n"
# Calls that use the same private memory again.
AGAIN = "  int sum = 0;\n  for (int k = 0; k < n; ++k) {\n    int other[16];\n" \
        "    for (int j = 0; j < 16; ++j) other[j] = k + j;\n    private int *o = other + (k & 3);\n    sum += o[n];\n  }\n" \
        "  out[1] = sum;\n"


def after_scope(name, lines, pointer):
    return bug(name, MAKE + kernel(OUT, CALLED + lines + f"  out[0] = {pointer}[n]; /*BUG*/\n"),
               Expected("use_after_scope", "read", 4, "tile", 64, offset=20), 5, 5)


def stack_temporal():
    for when, lines in (("immediate", ""), ("delayed", AGAIN)):
        yield after_scope(f"lmi_uas_{when}_original", lines, "p")
        yield after_scope(f"lmi_uas_{when}_copied", "  private int *copy = p;\n" + lines + "  p = 0;\n", "copy")
        yield bug(f"cusafe_uaf_local_{when}", MAKE + kernel(OUT, CALLED + lines + "  p[n] = 5; /*BUG*/\n"),
                  Expected("use_after_scope", "write", 4, "tile", 64, offset=20), 5, 5)


def cusafe():
    up = "  for (int k = 0; k <= n; ++k)\n    $m[k] = k; /*BUG*/\n"
    up_read = "  int sum = 0;\n  for (int k = 0; k <= n; ++k)\n    sum += $m[k]; /*BUG*/\n  out[0] = sum;\n"
    down = "  for (int k = 15; k >= n; --k)\n    $m[k] = k; /*BUG*/\n"
    end = "  out[0] = tile[0];\n"
    a = f"global int *a, {OUT}"
    yield bug("cusafe_linear_1", kernel(a, up.replace("$m", "a")), oob("write", 16, "a"), 16, arguments=(INTS,))
    yield bug("cusafe_linear_2", kernel(a, down.replace("$m", "a")), oob("write", -1, "a"), -1, 0, (INTS,))
    yield bug("cusafe_linear_3", kernel(a, up_read.replace("$m", "a")), oob("read", 16, "a"), 16, arguments=(INTS,))
    yield bug("cusafe_linear_4", kernel(OUT, FILL_TILE + up.replace("$m", "tile") + end), oob("write", 16, "tile"), 16)
    yield bug("cusafe_linear_5", kernel(OUT, FILL_TWO + down.replace("$m",
                                                                     "tile") + "  out[0] = tile[0] + other[0];\n"),
              oob("write", -1, "tile"), -1, 0)
    yield bug("cusafe_linear_6",
              "void callee_$K(private int *p, int n) {\n" + up.replace("$m", "p") + "}\n" +
              kernel(OUT, FILL_TILE + "  callee_$K(tile, n); /*CALL*/\n" + end), oob("write", 16, "tile"), 16)
    yield bug("cusafe_linear_7", kernel(OUT, SHARED_TILE + up.replace("$m", "tile") + end), oob("write", 16, "tile"),
              16)
    yield bug("cusafe_linear_8", kernel(OUT, SHARED_TWO + down.replace("$m",
                                                                       "tile") + "  out[0] = tile[0] + other[0];\n"),
              oob("write", -1, "tile"), -1, 0)
    yield bug("cusafe_linear_9", kernel(OUT, SHARED_TILE + up_read.replace("$m", "tile")), oob("read", 16, "tile"), 16)
    two = (sub_buffer(256, 64, 1024, counting(16)), sub_buffer(768, 64, 1024, counting(16)))
    yield bug("cusafe_nonlinear_1", kernel(f"global int *a, global int *b, {OUT}", "  a[n] = b[0]; /*BUG*/\n"),
              oob("write", 128, "a"), 128, arguments=two)  # exactly the start of b
    yield bug("cusafe_nonlinear_2", kernel(f"global int *a, global int *b, {OUT}", "  out[0] = b[n]; /*BUG*/\n"),
              oob("read", -128, "b"), -128, arguments=two)  # exactly the start of a
    yield bug("cusafe_nonlinear_3", kernel(OUT, FILL_TWO + "  tile[n] = 5; /*BUG*/\n  out[0] = tile[0] + other[0];\n"),
              oob("write", 72, "tile"), 72)
    yield bug("cusafe_nonlinear_4",
              CALLEE + kernel(OUT, FILL_TILE + "  callee_$K(tile, n); /*CALL*/\n" + end), oob("write", -72, "tile"),
              -72)
    yield bug("cusafe_nonlinear_5", kernel(OUT, SHARED_TWO + "  out[0] = tile[n] + other[0]; /*BUG*/\n"),
              oob("read", 72, "tile"), 72)
    # The index comes from data.
    yield case("papers", "cusafe_nonlinear_6", kernel(f"global int *a, {OUT}",
                                                      "  int i = out[n];\n  a[i] = 5; /*BUG*/\n"),
               oob("write", 1000, "a"), (INTS, buffer(8, (1000).to_bytes(4, "little")), int32(0)),
               (INTS, buffer(8, (15).to_bytes(4, "little")), int32(0)))


def cases():
    return [*lmi(), *stack_temporal(), *cusafe()]
