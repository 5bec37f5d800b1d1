# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that was freed, pointers that lead nowhere, and frees that are wrong."""

import itertools

from elements_cuda import TYPES
from mix import WORDS, use
from model import Case, Expected, Launch, int32
from pieces import ALLOCATED, ARRIVALS, piece_of

COUNT, AT = 16, 11
CALLS = {"svm": "clSVMFree"}
OUT = ("memory out shared " + "4d" * 32, "pointer out 0")


def call_of(kind):
    return CALLS.get(kind, "clMemFreeINTEL")


def kernel(piece, type, access, lines=()):
    """One access at AT."""
    body = (*piece.inner, *lines, use(access, type, piece.first, "at"))
    return "\n".join((*([type.declaration] if type.declaration else []), *piece.outer,
                      f"__global__ void $K({', '.join(piece.params)}, {type.value} *out, int at) {{",
                      *("  " + line for line in body), "}", ""))


def case(family, name, text, expected, bug, ok, **axes):
    return Case(name, text, Launch(tuple(bug)), Launch(tuple(ok)), expected, axes=tuple(axes.items()), family=family,
                forms=("linked",))


def inside(kind, type, access, piece, size, offset, **more):
    return Expected(kind, WORDS[access], type.value_bytes, piece.name, size, offset=offset, global_id=(0, 0, 0), items=1,
                    root=piece.root, arg=piece.arg, memory=piece.memory, **more)


def freed():
    """The twin frees other memory. Memory that is an argument is freed before it becomes one, or after."""
    turns = itertools.cycle((type, access) for access in ("load", "store", "atomic") for type in TYPES
                            if access != "atomic" or type in ("int", "long", "float", "double"))
    for kind, arrival, early in itertools.product(ALLOCATED, ARRIVALS, (False, True)):
        name, access = next(turns)
        type, size = TYPES[name], COUNT * TYPES[name].bytes
        piece = piece_of(kind, arrival, type, size)
        if early and arrival not in ("argument", "interior"):
            continue
        made = (f"memory other {kind} {'07' * size}", *piece.lines)
        at = len(made) - 1 if early else len(made)
        lines = [(*made[:at], f"free {what}", *made[at:], *OUT, int32(AT - piece.base)) for what in ("data", "other")]
        left = {"load": type.packed(AT + 1), "atomic": type.packed(AT + 1)}.get(access, b"\x4d" * type.value_bytes)
        yield case("freed", f"freed_{kind}_{arrival}_{name}_{access}" + ("_early" if early else ""),
                   kernel(piece, type, access),
                   inside("use_after_free", type, access, piece, size, AT * type.bytes + type.offset),
                   lines[0], (*lines[1], f"holds out 0 {left.hex()}"), memory=kind, arrival=arrival)


def later():
    """After many other allocations were made and freed."""
    type = TYPES["int"]
    for kind, arrival in (("svm", "argument"), ("svm", "list"), ("device", "indirect")):
        piece = piece_of(kind, arrival, type, 64)
        lines = [(*piece.lines, f"memory other {kind} {'07' * 64}", f"free {what}", "churn 500 64", *OUT, int32(AT))
                 for what in ("data", "other")]
        yield case("freed", f"freed_later_{kind}_{arrival}", kernel(piece, type, "load"),
                   inside("use_after_free", type, "load", piece, 64, 4 * AT), *lines, memory=kind, arrival=arrival)


def in_flight():
    """Freed when the kernel is enqueued and cannot run yet. Where the launch was proven it is the call that is told."""
    type = TYPES["int"]
    for kind, arrival in itertools.product(("device", "shared", "svm"), ("argument", "list", "packed")):
        piece = piece_of(kind, arrival, type, 64)
        text = kernel(piece, type, "load")
        lines = [(*piece.lines, f"memory other {kind} {'07' * 64}", f"free_waiting {what}", *OUT, int32(AT))
                 for what in ("data", "other")]
        expected = inside("use_after_free", type, "load", piece, 64, 4 * AT)
        if arrival == "argument":
            expected = Expected("free_while_in_use", "", size=64, offset=0, api=call_of(kind), memory=piece.memory)
            text = text.replace(" /*BUG*/", "")
        yield case("in_flight", f"in_flight_{kind}_{arrival}", text, expected, lines[0],
                   (*lines[1], f"holds out 0 {type.packed(AT + 1).hex()}"), memory=kind, arrival=arrival)


def wrong_frees():
    """A kernel that has nothing to do with it. Twins free each of two allocations once."""
    type = TYPES["int"]
    for kind in ALLOCATED:
        piece = piece_of(kind, "argument", type, 64)
        text = kernel(piece, type, "load").replace(" /*BUG*/", "")
        made = (f"memory one {kind} {'07' * 48}", f"memory two {kind} {'07' * 48}", *piece.lines, *OUT, int32(AT))
        for name, what, offset, bug, ok in (
                ("double_free", "double_free", 0, ("free one", "free one"), ("free one", "free two")),
                ("double_free_later", "double_free", 0, ("free one", "churn 50 48", "free one"),
                 ("free one", "churn 50 48", "free two")),
                ("free_inside", "invalid_free", 16, ("free_inside one 16",), ("free_inside one 0",))):
            yield case("frees", f"{name}_{kind}", text,
                       Expected(what, "", size=48, offset=offset, api=call_of(kind), memory=piece.memory),
                       (*made, *bug), (*made, *ok), memory=kind)


def scopes():
    """A variable of a function that has returned. The twin's is its caller's."""
    for (name, access), how in itertools.product((("int", "load"), ("double", "store"), ("float", "load")),
                                                 ("returned", "stored")):
        type = TYPES[name]
        t, fill = type.name, type.fill("tile", COUNT)
        text = (f"__device__ __noinline__ {t} *make_$K(int at{{{{||, {t} *tile}}}}, {t} **kept) {{\n"
                f"  {{{{{t} tile[{COUNT}];||}}}}\n  {fill}\n  *kept = tile;\n  return tile + (at & 1);\n}}\n"
                f"__global__ void $K({t} *out, int at) {{\n  {{{{||{t} tile[{COUNT}];}}}}\n  {t} *kept;\n"
                f"  {t} *q = make_$K(at{{{{||, tile}}}}, &kept);\n"
                f"  {use(access, type, 'kept' if how == 'stored' else 'q', 'at')}\n}}\n")
        offset = (AT + (AT & 1 if how == "returned" else 0)) * type.bytes
        yield case("scope", f"scope_{how}_{name}_{access}", text,
                   Expected("use_after_scope", WORDS[access], type.bytes, "", COUNT * type.bytes, offset=offset,
                            global_id=(0, 0, 0), items=1, root="private", memory="none"),
                   (*OUT, int32(AT)), (*OUT, int32(AT)))


GARBAGE = (0x123456789AB0).to_bytes(8, "little").hex()


def nowhere():
    """Null: an allocation that failed, a list that ends, a pointer that was never set. Wild: what was never set and is
    not null."""
    int_, float4 = TYPES["int"], TYPES["float4"]
    for type, access in ((int_, "load"), (int_, "store"), (int_, "atomic"), (float4, "load"), (TYPES["double"], "atomic")):
        piece = piece_of("device", "argument", type, COUNT * type.bytes)
        right = (*piece.lines, *OUT, int32(0))
        yield case("nowhere", f"null_argument_{type.value}_{access}", kernel(piece, type, access),
                   Expected("null_pointer", WORDS[access], type.value_bytes, "", global_id=(0, 0, 0), items=1,
                            root="argument", arg=0, memory="none"),
                   ("null", *OUT, int32(0)), right)
    for kind, what, data in (("shared", "null", "00" * 8), ("svm", "null", "00" * 8), ("device", "wild", GARBAGE),
                             ("shared", "wild", GARBAGE), ("svm", "wild", GARBAGE)):
        for arrival in "list", "indirect":
            piece = piece_of(kind, arrival, int_, COUNT * 4)
            wrong = tuple(line for line in piece.lines if " data 0" not in line)
            place = {"list": f"memory n1 {kind} ", "indirect": f"memory table {kind} "}[arrival]
            at = {"list": 16, "indirect": 32}[arrival]  # digits of the address before the pointer
            wrong = tuple(line[:len(place) + at] + data + line[len(place) + at + 16:] if line.startswith(place) else line
                          for line in wrong)
            yield case("nowhere", f"{what}_{kind}_{arrival}", kernel(piece, int_, "load"),
                       Expected({"null": "null_pointer", "wild": "wild_pointer"}[what], "read", 4, "", global_id=(0, 0, 0),
                                items=1, root={"null": "null", "wild": "unknown"}[what], memory="none"),
                       (*wrong, *OUT, int32(3)), (*piece.lines, *OUT, int32(3)))


def misaligned():
    """Inside of the memory; reported and made."""
    for (name, step), memory in itertools.product((("float4", 4), ("int2", 4), ("double", 4), ("int", 2)),
                                                  ("device", "dynamic_shared", "private")):
        if (name, memory) in (("int2", "private"), ("double", "dynamic_shared")):
            continue
        type, size = TYPES[name], COUNT * TYPES[name].bytes
        piece = piece_of(memory, "argument" if memory == "device" else "own", type, size)
        every = (*piece.params, f"{type.value} *out", "int at", *piece.last_params)
        barrier = "  __syncthreads();\n" if piece.barrier else ""
        fills = "".join(f"  {line}\n" for line in piece.inner)
        text = (f"__global__ void $K({', '.join(every)}) {{\n{fills}{barrier}"
                f"  char *c = (char *){piece.first} + at;\n  out[0] = *({type.name} *)c; /*BUG*/\n}}\n")
        lines = [(*piece.lines, *OUT, int32(at), *piece.last_lines,
                  f"holds out 0 {type.filled(size)[at:at + type.bytes].hex()}")
                 for at in (3 * type.bytes + step, 3 * type.bytes)]
        arg = len(every) - 1 if piece.last_params else piece.arg
        expected = inside("misaligned", type, "load", piece, size, 3 * type.bytes + step)
        yield case("misaligned", f"misaligned_{memory}_{name}", text, Expected(**{**vars(expected), "arg": arg}), *lines,
                   memory=memory)


def cases():
    return [*freed(), *later(), *in_flight(), *wrong_frees(), *scopes(), *nowhere(), *misaligned()]
