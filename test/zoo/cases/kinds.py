# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors other than leaving one's memory: null, misaligned, against the flags of a
buffer, through const, and pointers that belong to nothing.

A store through a pointer to const that was cast is legal C as long as the object
itself is not const; abi/checks.def calls it an error for arguments, so it is one
here. A misaligned access that is inside of its memory is misaligned and nothing
else."""

import struct

from model import Case, Expected, Launch, buffer, counting, int32, int64, local, null, out, sub_buffer

INTS = counting(16)


def case(family, name, text, expected, bug, ok=None, needs=(), axes=(), range=((1,), (1,)), after=(), measure=None,
         forms=("source", "il"), made=()):
    """`after`: what the twin leaves behind; `made`: what both do, since the error is only reported"""
    if "wait_group_events" in text:  # see accesses.py
        needs = (*needs, "c30")
    if any(line.startswith("memory ") and line.split()[2] == "svm" for line in bug):
        needs = (*needs, "svm")
    return Case(name, text, Launch(tuple(bug), made, measure, range),
                Launch(tuple(ok or bug), (*after, *made), measure, range),
                expected,
                frozenset(needs), (("kind", expected.kind), *axes), family, forms)


def inside(kind, word, bytes, name, offset):
    """A finding whose access lies in the 64 bytes of its memory."""
    assert 0 <= offset <= 64 - bytes
    return Expected(kind, word, bytes, name, 64, offset=offset)


# --- null ---------------------------------------------------------------------

# name: (space, lines, bytes, word); `a` is null, or points to 16 ints
NULLS = {
    "load": ("global", "out[0] = a[0]; /*BUG*/", 4, "read"),
    "load_index": ("global", "out[0] = a[7]; /*BUG*/", 4, "read"),
    "store": ("global", "a[0] = 5; /*BUG*/", 4, "write"),
    "atomic1": ("global", "out[0] = atomic_add(a, 5); /*BUG*/", 4, "atomic"),
    "vload": ("global", "vstore4(vload4(1, a), 0, out); /*BUG*/", 16, "read"),
    "vstore": ("global", "vstore4((int4)(5), 1, a); /*BUG*/", 16, "write"),
    "copy_from": ("global", "struct part_$K v = *(global struct part_$K *)a; /*BUG*/\n"
                  "  *(global struct part_$K *)out = v;", 12, "read"),
    "copy_to": ("global", "struct part_$K v = *(global struct part_$K *)out;\n"
                "  *(global struct part_$K *)a = v; /*BUG*/", 12, "write"),
    "constant": ("constant", "out[0] = a[0]; /*BUG*/", 4, "read"),
    "async_from": ("global", "local int tmp[4];\n  event_t e = async_work_group_copy(tmp, a, 4, 0); /*BUG*/\n"
                   "  wait_group_events(1, &e);", 16, "read"),
    "phi": ("global", "global int *q = out;\n  if (pick) q = a;\n  q[1] = 5; /*BUG*/", 4, "write"),
    "private_slot": ("global", "global int *slot[2];\n  slot[0] = out;\n  slot[1] = a;\n"
                     "  out[0] = slot[pick][1]; /*BUG*/", 4, "read"),
}
# A null that the kernel makes itself: name: (declaration of the pointer, line, bytes, word)
NULL_CONSTANTS = {
    "global": ("global int *q = pick ? 0 : out;", "q[0] = 5; /*BUG*/", 4, "write"),
    "global_read": ("global int *q = 0;\n  if (!pick) q = out + 1;", "out[0] = q[0]; /*BUG*/", 4, "read"),
    "global_index": ("global int *q = pick ? 0 : out;", "q[9] = 5; /*BUG*/", 4, "write"),
    "local": ("local int tile[4];\n  tile[0] = 3;\n  local int *q = pick ? 0 : tile;", "out[0] = q[0]; /*BUG*/", 4,
              "read"),
    "private": ("int x = 3;\n  private int *q = pick ? 0 : &x;", "out[0] = *q; /*BUG*/", 4, "read"),
    "vector": ("global int4 *q = pick ? 0 : (global int4 *)out;", "q[0] = (int4)(5); /*BUG*/", 16, "write"),
    "member": ("global struct part_$K *q = pick ? 0 : (global struct part_$K *)out;", "q->y = 5; /*BUG*/", 4, "write"),
}
PART = "struct part_$K { int x[2]; int y; };\n"


def nulls():
    for name, (space, lines, bytes, word) in NULLS.items():
        yield case("null", f"null_argument_{name}",
                   f"{PART}kernel void $K({space} int *a, global int *out, int pick) {{\n  {lines}\n}}\n",
                   Expected("null_pointer", word, bytes, "a"), (null(), out(), int32(1)), (buffer(64, INTS), out(),
                                                                                           int32(1)))
    for name, (pointer, line, bytes, word) in NULL_CONSTANTS.items():
        yield case("null", f"null_constant_{name}",
                   f"{PART}kernel void $K(global int *out, int pick) {{\n  {pointer}\n  {line}\n}}\n",
                   Expected("null_pointer", word, bytes), (out(), int32(1)), (out(), int32(0)))


# --- misaligned -----------------------------------------------------------------

# type: (bytes, offsets that are wrong)
ALIGNMENTS = {"short": (2, (1,)), "int": (4, (1, 2, 3)), "long": (8, (4,)), "float": (4, (2,)), "float2": (8, (4,)),
              "float4": (16, (4, 8)), "int8": (32, (16,)), "char4": (4, (2,)), "ushort2": (4, (1,))}


def misaligned():
    for type, (bytes, offsets) in ALIGNMENTS.items():
        for offset in offsets:
            for word in "read", "write":
                line = (f"*(global {type} *)out = *(global {type} *)(a + at); /*BUG*/" if word == "read"
                        else f"{type} v = *(global {type} *)out;\n  *(global {type} *)(a + at) = v; /*BUG*/")
                yield case("misaligned", f"misaligned_{type}_{word}_{offset}",
                           f"kernel void $K(global char *a, global char *out, int at) {{\n  {line}\n}}\n",
                           inside("misaligned", word, bytes, "a", offset), (buffer(64, INTS), out(), int32(offset)),
                           (buffer(64, INTS), out(), int32(64 - bytes)))
    more = {
        "atomic": ("global char *a, global int *out, int at", "",
                   "out[0] = atomic_inc((global int *)(a + at)); /*BUG*/",
                   "atomic", 4, "a", (buffer(64, INTS),), 2),
        "vload4": ("global char *a, global int *out, int at", "",
                   "vstore4(vload4(0, (global int *)(a + at)), 0, out); /*BUG*/",
                   "read", 16, "a", (buffer(64, INTS),), 2),
        "vstore2": ("global char *a, global int *out, int at", "",
                    "vstore2((int2)(5), 0, (global int *)(a + at)); /*BUG*/", "write", 8, "a", (buffer(64, INTS),), 3),
        "constant": ("constant char *a, global int *out, int at", "", "out[0] = *(constant int *)(a + at); /*BUG*/",
                     "read", 4, "a", (buffer(64, INTS),), 1),
        "local": ("global int *out, int at", "local char tile[64] __attribute__((aligned(16)));\n"
                  "  for (int k = 0; k < 64; ++k) tile[k] = k;", "out[0] = *(local int *)(tile + at); /*BUG*/",
                  "read", 4, "tile", (), 2),
        "private": ("global int *out, int at", "char tile[64] __attribute__((aligned(16)));\n"
                    "  for (int k = 0; k < 64; ++k) tile[k] = k;", "out[0] = *(private int *)(tile + at); /*BUG*/",
                    "read", 4, "tile", (), 3),
        "copy": ("global char *a, global char *out, int at", "",
                 "struct part_$K v = *(global struct part_$K *)(a + at); /*BUG*/\n  *(global struct part_$K *)out = v;",
                 "read", 12, "a", (buffer(64, INTS),), 2),
        "function": ("global char *a, global int *out, int at", "", "out[0] = fetch_$K((global int *)(a + at));",
                     "read", 4, "a", (buffer(64, INTS),), 1),
    }
    for name, (params, inner, line, word, bytes, root, arguments, offset) in more.items():
        outer = PART if name == "copy" else ""
        if name == "function":
            outer = "int fetch_$K(global int *p) {\n  return *p; /*BUG*/\n}\n"
        last = (64 - bytes) // 4 * 4
        yield case("misaligned", f"misaligned_{name}", f"{outer}kernel void $K({params}) {{\n  {inner}\n  {line}\n}}\n",
                   inside("misaligned", word, bytes, root, offset), (*arguments, out(), int32(offset)),
                   (*arguments, out(), int32(last)))


# --- flags of buffers -------------------------------------------------------------

# name: (lines, bytes, word)
WRITES = {
    "store": ("a[at] = 5; /*BUG*/", 4, "write"),
    "atomic1": ("out[0] = atomic_add(a + at, 5); /*BUG*/", 4, "atomic"),
    "vstore": ("vstore2((int2)(5), 0, a + at - 1); /*BUG*/", 8, "write"),
    "copy_to": ("struct part_$K v = *(global struct part_$K *)out;\n"
                "  *(global struct part_$K *)(a + at - 2) = v; /*BUG*/", 12, "write"),
    "async_to": ("local int tmp[4];\n  for (int k = 0; k < 4; ++k) tmp[k] = k;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "  event_t e = async_work_group_copy(a + at - 3, tmp, 4, 0); /*BUG*/\n"
                 "  wait_group_events(1, &e);", 16, "write"),
    "function": ("put_$K(a, at);", 4, "write"),
    "phi": ("global int *q = out;\n  if (at) q = a;\n  q[at] = 5; /*BUG*/", 4, "write"),
}
READS = {
    "load": ("out[0] = a[at]; /*BUG*/", 4, "read"),
    "vload": ("vstore4(vload4(0, a + at - 3), 0, out); /*BUG*/", 16, "read"),
    "copy_from": ("struct part_$K v = *(global struct part_$K *)(a + at - 2); /*BUG*/\n"
                  "  *(global struct part_$K *)out = v;", 12, "read"),
    "async_from": ("local int tmp[4];\n  event_t e = async_work_group_copy(tmp, a + at - 3, 4, 0); /*BUG*/\n"
                   "  wait_group_events(1, &e);\n  out[0] = tmp[0];", 16, "read"),
    "function": ("out[0] = get_$K(a, at);", 4, "read"),
}
ACCESSORS = ("void put_$K(global int *p, int i) {{\n  p[i] = 5;{0}\n}}\n"
             "int get_$K(global int *p, int i) {{\n  return p[i];{1}\n}}\n")


def accessors(name, word):
    if name != "function":
        return PART
    return ACCESSORS.format(*((" /*BUG*/", "") if word == "write" else ("", " /*BUG*/")))


def left_by(name):
    """What of the accesses above is left in `a`, or read into `out`, if they are made"""
    five = struct.pack("<i", 5)
    return {"store": ((0, 60, five),), "function": ((0, 60, five),), "phi": ((0, 60, five),), "vstore": ((0, 56, 2 * five),),
            "async_to": ((0, 48, struct.pack("<4i", 0, 1, 2, 3)),), "load": ((1, 0, INTS[60:64]),),
            "vload": ((1, 0, INTS[48:64]),), "copy_from": ((1, 0, INTS[52:64]),),
            "async_from": ((1, 0, INTS[48:52]),)}.get(name, ())


def flagged():
    for kind, flag, table in (("write_to_read_only", "r", WRITES), ("read_of_write_only", "w", READS)):
        for name, (lines, bytes, word) in table.items():
            text = f"{accessors(name, word)}kernel void $K(global int *a, global int *out, int at) {{\n  {lines}\n}}\n"
            yield case("flags", f"{kind}_{name}", text, inside(kind, word, bytes, "a", 64 - bytes),
                       (buffer(64, INTS, flag), out(), int32(15)), (buffer(64, INTS), out(), int32(15)),
                       made=left_by("load" if (name, flag) == ("function", "w") else name))
        name = "store" if flag == "r" else "load"
        lines, bytes, word = table[name]
        yield case("flags", f"{kind}_sub_buffer",
                   f"kernel void $K(global int *a, global int *out, int at) {{\n  {lines}\n}}\n",
                   inside(kind, word, bytes, "a", 64 - bytes), (sub_buffer(128, 64, 512, INTS, flag), out(), int32(15)),
                   (sub_buffer(128, 64, 512, INTS), out(), int32(15)), made=left_by(name))


# --- const ------------------------------------------------------------------------

def consts():
    """`a` may not be written, `b` may. SPIR-V does not say which pointers are to const."""
    arguments = (buffer(64, INTS), buffer(64, INTS), out(), int32(15))
    for name, (lines, bytes, word) in WRITES.items():
        if name == "phi":
            continue
        lines = lines.replace("a[at]", "((global int *){{a||b}})[at]").replace("a + at", "(global int *){{a||b}} + at")
        lines = lines.replace("put_$K(a,", "put_$K((global int *){{a||b}},")
        yield case("const", f"write_to_const_{name}",
                   f"{accessors(name, word)}"
                   "kernel void $K(global const int *a, global int *b, global int *out, int at) {\n"
                   f"  {lines}\n}}\n", inside("write_to_const", word, bytes, "a", 64 - bytes), arguments,
                   forms=("source",))
    # A cast from constant to global memory has to go through a number.
    yield case("const", "write_to_const_constant_arg",
               "kernel void $K(constant int *a, global int *b, global int *out, int at) {\n"
               "  global int *q = (global int *)(size_t){{a||b}};\n  q[at] = 5; /*BUG*/\n}\n",
               inside("write_to_const", "write", 4, "a", 60), arguments)
    # rusticl of Mesa 25.0 never ends to compile the number of a constant variable: only where global variables are.
    yield case("const", "write_to_const_constant_var",
               "constant int table_$K[16] = {1, 2, 3};\n"
               "kernel void $K(global int *a, global int *b, global int *out, int at) {\n"
               "  out[0] = table_$K[at];\n"
               "  global int *q = (global int *)(size_t){{table_$K||b}};\n  q[at] = 5; /*BUG*/\n}\n",
               inside("write_to_const", "write", 4, "table_$K", 60), arguments, needs=("program_scope",))


# --- wild ------------------------------------------------------------------------

def wilds():
    word_of = {"load": "read", "vload": "read", "copy_from": "read", "async_from": "read", "store": "write",
               "vstore": "write", "copy_to": "write", "async_to": "write", "atomic1": "atomic"}
    tables = {**READS, **WRITES}
    for name, word in word_of.items():
        lines, bytes, _ = tables[name]
        yield case("wild", f"wild_{name}",
                   f"{PART}kernel void $K(global int *b, global int *out, int at, ulong number) {{\n"
                   f"  global int *a = {{{{(global int *)number||b}}}};\n  {lines}\n}}\n",
                   Expected("wild_pointer", word, bytes),
                   (buffer(64, INTS), out(), int32(15), int64(0x1234567890)))
    # A number that was a pointer, has been in memory, and is one again.
    yield case("wild", "wild_from_memory",
               "kernel void $K(global int *b, global ulong *out, int at, ulong number) {\n"
               "  volatile global ulong *kept = out;\n  kept[0] = (ulong)b;\n"
               "  global int *q = (global int *)(kept[0] + number);\n  out[1] = q[at]; /*BUG*/\n}\n",
               Expected("wild_pointer", "read", 4), (buffer(64, INTS), out(), int32(15), int64(2**40)),
               (buffer(64, INTS), out(), int32(15), int64(0)))
    yield case("wild", "wild_literal",
               "kernel void $K(global int *b, global int *out, int pick) {\n"
               "  global int *q = pick ? (global int *)0xdead00000000 : b;\n  out[0] = q[0]; /*BUG*/\n}\n",
               Expected("wild_pointer", "read", 4), (buffer(64, INTS), out(), int32(1)), (buffer(64, INTS), out(),
                                                                                          int32(0)))
    yield case("wild", "wild_local",
               "kernel void $K(local int *tile, global int *out, int at, ulong number) {\n  tile[at] = 3;\n"
               "  local int *q = {{(local int *)number||tile}};\n  out[0] = q[at]; /*BUG*/\n}\n",
               Expected("wild_pointer", "read", 4), (local(64), out(), int32(15), int64(0x1234567890)))


def cases():
    return [*nulls(), *misaligned(), *flagged(), *consts(), *wilds()]
